/** The hub's components as writers: their names are in managedFields and events. */
import type { Actor } from '../store/objects.ts';

const account = 'system:serviceaccount:karmada-system:';

export const controllerManager: Actor = {
  username: `${account}karmada-controller-manager`,
  manager: 'karmada-controller-manager',
};

export const karmadaScheduler: Actor = { username: `${account}karmada-scheduler`, manager: 'karmada-scheduler' };

export const garbageCollector: Actor = {
  username: 'system:serviceaccount:kube-system:generic-garbage-collector',
  manager: 'kube-controller-manager',
};

const hubAccount = 'system:serviceaccount:open-cluster-management-hub:';

export const placementController: Actor = { username: `${hubAccount}placement-controller-sa`, manager: 'placement' };

export const registrationController: Actor = {
  username: `${hubAccount}registration-controller-sa`,
  manager: 'registration',
};

/** The work agent of a managed cluster. */
export function agentOf(cluster: string): Actor {
  return { username: `system:open-cluster-management:${cluster}:agent`, manager: 'work' };
}
