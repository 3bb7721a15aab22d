/** The Kubernetes controllers that a hub needs: namespace deletion and garbage collection. */
import { join } from 'node:path';
import type { Rig } from '../rig.ts';
import type { ApiServer } from './api-server.ts';
import { startKubernetes } from './member.ts';

export function startHubControllers(rig: Rig, hub: ApiServer): Promise<void> {
  return startKubernetes(rig, hub, 'kube-controller-manager', [
    '--controllers=namespace-controller,garbage-collector-controller,serviceaccount-token-controller',
    `--root-ca-file=${join(hub.folder, 'ca.crt')}`,
    `--service-account-private-key-file=${join(hub.folder, 'sa.key')}`,
  ]);
}
