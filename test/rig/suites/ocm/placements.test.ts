/** PlacementDecisions and conditions of clusters that are selected, become unreachable and recover, as an ElasticWorkload reads them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseSettings } from '../../../../shared/core/settings.ts';
import { type ManagedCluster, managedClusters } from '../../../../shared/elastic-workload/managed-cluster.ts';
import {
  PLACEMENT_LABEL,
  type PlacementSlice,
  placementDecisions,
  placements,
  type SelectedClusters,
  selectionOf,
} from '../../../../shared/elastic-workload/placement-decision.ts';
import { connectHub } from '../../../../shared/kubernetes/client/connect-hub.ts';
import { connectionFromKubeconfig } from '../../../../shared/kubernetes/client/kubeconfig.ts';
import type { Hub as HubPort } from '../../../../shared/kubernetes/hub.ts';
import { recording } from '../../../fakes/telemetry.ts';
import { place } from '../../parts/ocm.ts';
import { inFlight } from '../api.ts';
import { eventually } from '../karmada/observed-state.ts';
import { rigOfSuite } from '../rig-of-suite.ts';
import { addManagedCluster, FLEET, fail, type OcmFleet, paths, startOcmFleet } from './fleet.ts';

const run = Date.now().toString(36);
const OURS = `ours-${run}`;
const PAPER = `paper-${run}`;

let fleet: OcmFleet;
let port: HubPort;

beforeAll(async () => {
  fleet = await startOcmFleet(rigOfSuite());
  await addManagedCluster(fleet, 'spoke1');
  await addManagedCluster(fleet, 'spoke2');
  const connection = await connectionFromKubeconfig(fleet.hub.adminKubeconfig);
  port = connectHub('ocm', connection, { settings: parseSettings({}), telemetry: recording([]) });
  await place(fleet.hub, OURS, { ...FLEET, size: 'large' });
});

afterAll(async () => {
  for (const name of [OURS, PAPER]) await fleet.api.send({ method: 'DELETE', path: `${paths.placements}/${name}` });
  fleet.close();
});

async function selection(name: string): Promise<SelectedClusters & { readonly slices: readonly number[] }> {
  const placement = await port.get(placements, { namespace: 'default', name });
  const within = { namespace: 'default', labelSelector: `${PLACEMENT_LABEL}=${name}` };
  const slices: PlacementSlice[] = [];
  for await (const page of port.list(placementDecisions, within)) slices.push(...page);
  if (placement === undefined) throw new Error(`there is no placement ${name}`);
  return { ...selectionOf(placement, slices), slices: slices.map(({ clusters }) => clusters.length) };
}

async function cluster(name: string): Promise<ManagedCluster | undefined> {
  return port.get(managedClusters, { namespace: '', name });
}

const both = { clusters: ['spoke1', 'spoke2'], whole: true, slices: [2] };

describe('a placement', () => {
  it('selects its clusters', async () => {
    await eventually(() => selection(OURS), both);
    const { labels, ...spoke1 } = (await cluster('spoke1')) ?? {};
    expect(spoke1).toEqual({ name: 'spoke1', available: true });
    expect(labels).toMatchObject(FLEET);
  });

  it('deselects an unreachable cluster, and selects it again', async () => {
    await eventually(() => selection(OURS), both);
    await fail(fleet, 'spoke2');
    await eventually(() => selection(OURS), { clusters: ['spoke1'], whole: true, slices: [1] });
    expect(await cluster('spoke2')).toMatchObject({ available: false });
    await addManagedCluster(fleet, 'spoke2');
    await eventually(() => selection(OURS), both);
  });

  it('deselects a cluster whose API server is down, and keeps an empty PlacementDecision if none is left', async () => {
    for (const name of ['spoke1', 'spoke2']) await fleet.rig.processes.stop(`${name}-apiserver`, 'SIGKILL');
    await eventually(() => selection(OURS), { clusters: [], whole: true, slices: [0] });
    await addManagedCluster(fleet, 'spoke1');
    await addManagedCluster(fleet, 'spoke2');
    await eventually(() => selection(OURS), both);
  });

  it('with more than a hundred clusters has several PlacementDecisions, which all count', async () => {
    const names = Array.from({ length: 120 }, (_, index) => `paper-${run}-${String(index).padStart(3, '0')}`);
    await place(fleet.hub, PAPER, { fleet: PAPER });
    await inFlight(names, (name) => addPaperCluster(name));
    await eventually(() => selection(PAPER), { clusters: names, whole: true, slices: [100, 20] });
    await inFlight(names, (name) => fleet.api.delete(`${paths.clusters}/${name}`));
    await eventually(() => selection(PAPER), { clusters: [], whole: true, slices: [0] });
  });
});

/** A ManagedCluster without a control plane, which is only registered on the hub. */
async function addPaperCluster(name: string): Promise<void> {
  await fleet.api.create(paths.clusters, {
    apiVersion: 'cluster.open-cluster-management.io/v1',
    kind: 'ManagedCluster',
    metadata: { name, labels: { fleet: PAPER } },
    spec: { hubAcceptsClient: false },
  });
  const condition = { type: 'ManagedClusterConditionAvailable', status: 'True', reason: 'OnPaper', message: '' };
  const conditions = [{ ...condition, lastTransitionTime: new Date().toISOString().replace(/\.\d+Z$/, 'Z') }];
  await fleet.api.merge(`${paths.clusters}/${name}/status`, { status: { conditions } });
}
