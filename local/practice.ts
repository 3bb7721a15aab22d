/** The practice hub of a local run, with its members, connected to the hook. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { userOfAccount } from '../shared/kubernetes/account-token.ts';
import type { Connection } from '../shared/kubernetes/client/connection.ts';
import { admissionPolicy } from '../shared/manifests/admission.ts';
import { holdPolicy } from '../shared/manifests/holds.ts';
import { loopbackKeyPair } from './hook-access.ts';
import { applyManifests } from './practice-hub/apply-manifests.ts';
import type { ManagedClusterOptions } from './practice-hub/controllers/ocm/managed-cluster-simulator.ts';
import { startEstimatorServer } from './practice-hub/estimator-server.ts';
import { type SimulatedFleet, startFleet } from './practice-hub/fleet.ts';
import { type HubServer, startHubServer } from './practice-hub/hub-server.ts';

export const PRACTICE_HUB = 'practice';
const account = { namespace: 'evenkeel', name: 'evenkeel' };
const ACCOUNT = userOfAccount(account);
const admin = { username: 'kubernetes-admin', manager: 'evenkeel' };
/** The practice hub is on loopback and holds no secrets: its tokens only distinguish users in its audit log. */
const FUNCTIONS_TOKEN = 'functions-of-evenkeel';

const members = [
  { name: 'member1', capacity: 20, readyDelayMs: 700 },
  { name: 'member2', capacity: 20, readyDelayMs: 700 },
  { name: 'member3', capacity: 20, readyDelayMs: 700 },
];
const TOLERATION_MS = 1000;

export interface PracticeHub {
  readonly server: HubServer;
  readonly fleet: SimulatedFleet;
  readonly connection: Connection;
  readonly kubeconfigFile: string;
  close(): Promise<void>;
}

export interface PracticeOptions {
  readonly port: number;
  readonly folder: string;
  readonly hookUrl: string;
  readonly hookToken: string;
  /** Whether placements are recorded. */
  readonly recordsHistory?: boolean;
  /** If not empty, the hub is one of Open Cluster Management with these clusters, and has no Karmada members. */
  readonly managedClusters?: readonly ManagedClusterOptions[];
}

export async function startPracticeHub({
  port,
  folder,
  hookUrl,
  hookToken,
  recordsHistory = false,
  managedClusters = [],
}: PracticeOptions): Promise<PracticeHub> {
  const server = await startHubServer({
    port,
    dataDir: folder,
    audit: { url: hookUrl, token: hookToken },
    users: { [FUNCTIONS_TOKEN]: ACCOUNT },
    recordsHistory,
  });
  const policies = [...admissionPolicy({ account, gracefulReduction: true }), ...holdPolicy({ account })];
  applyManifests(server.store, policies, admin);
  const clusters = managedClusters.length > 0 ? { members: [], managedClusters } : { members };
  const fleet = startFleet({ store: server.controllersStore, ...clusters, tolerationMs: TOLERATION_MS });
  const estimators = await startEstimatorServer({
    fleet,
    identity: await loopbackKeyPair('evenkeel practice estimator'),
  });
  const kubeconfigFile = join(folder, 'kubeconfig');
  writeFileSync(kubeconfigFile, server.kubeconfig(), { mode: 0o600 });
  return {
    server,
    fleet,
    connection: {
      server: server.url,
      token: FUNCTIONS_TOKEN,
      account: ACCOUNT,
      hookTokens: [hookToken],
      estimator: { kind: 'scheduler-estimator', ...estimators.estimator },
    },
    kubeconfigFile,
    close: async () => {
      await estimators.close();
      fleet.close();
      await server.close();
    },
  };
}
