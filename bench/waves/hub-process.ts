/** A practice hub with its members in a separate process: workloads that left a cluster which is healthy again, and a policy that brings them back. */
import { writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { type SimulatedFleet, startFleet } from '../../local/practice-hub/fleet.ts';
import { type HubServer, startHubServer } from '../../local/practice-hub/hub-server.ts';
import type { StoreChange } from '../../local/practice-hub/store/objects.ts';
import { deploymentOf, policyOf } from '../../local/stories/manifests.ts';
import { TRIGGERED_BY } from '../../shared/karmada/binding.ts';
import { answerRequests } from '../ask-process.ts';

export type WavesRequest =
  | { readonly do: 'start'; readonly kubeconfig: string; readonly hookUrl: string; readonly hookToken: string }
  /** Answers when the workloads run on two clusters, because the third has failed. */
  | { readonly do: 'place'; readonly workloads: number }
  /** Creates the policy; then the cluster recovers. */
  | { readonly do: 'recover'; readonly waveSize: number }
  | { readonly do: 'progress' };

export interface HubProgress {
  /** Bindings whose trigger was written, and how many of them twice or more. */
  readonly triggered: number;
  readonly triggeredAgain: number;
  /** Triggered and not ready again, at most. */
  readonly mostInFlight: number;
  readonly waves: number;
  /** Waves with a workload that has more replicas than one of the wave before it. */
  readonly outOfOrder: number;
  /** Replicas on the cluster that had failed. */
  readonly returned: number;
  /** The policy's last run: "Running", "Finished". */
  readonly run: string;
}

const admin = { username: 'bench', manager: 'bench' };
const namespace = 'shop';
const POLICY = 'home';
const [FAILED, ...OTHERS] = ['member1', 'member2', 'member3'] as const;
/** Times have seconds: the recovery must be later than the policy. */
const LATER_MS = 2000;
/** Workloads have so many replicas, a third of which belongs on each cluster. */
const REPLICAS = [3, 6, 9] as const;
const placement = {
  replicaScheduling: {
    replicaSchedulingType: 'Divided',
    replicaDivisionPreference: 'Weighted',
    weightPreference: {
      staticWeightList: [{ targetCluster: { clusterNames: [FAILED, ...OTHERS] }, weight: 1 }],
    },
  },
};

let server: HubServer | undefined;
let fleet: SimulatedFleet | undefined;
const triggers = new Map<string, number>();
const inFlight = new Set<string>();
let mostInFlight = 0;
/** The replicas of the workloads of each wave, by its WorkloadRebalancer, in the order in which the first of each was triggered. */
const waves = new Map<string, number[]>();

function hub(): { readonly store: HubServer['store']; readonly members: SimulatedFleet } {
  if (server === undefined || fleet === undefined) throw new Error('the hub is not started');
  return { store: server.store, members: fleet };
}

async function start({ kubeconfig, hookUrl, hookToken }: Extract<WavesRequest, { do: 'start' }>): Promise<void> {
  server = await startHubServer({ port: 0, audit: { url: hookUrl, token: hookToken } });
  const members = [FAILED, ...OTHERS].map((name) => ({ name, capacity: 0, readyDelayMs: 700 }));
  fleet = startFleet({ store: server.controllersStore, members, tolerationMs: 1000 });
  writeFileSync(kubeconfig, server.kubeconfig(), { mode: 0o600 });
}

async function place(workloads: number): Promise<void> {
  const { store, members } = hub();
  for (const name of members.memberNames) members.setCapacity(name, workloads * Math.max(...REPLICAS));
  members.fail(FAILED);
  store.create('namespaces', { metadata: { name: namespace } }, admin);
  const policy = policyOf({ name: 'all', namespace, replicas: 0 });
  const resourceSelectors = [{ apiVersion: 'apps/v1', kind: 'Deployment' }];
  store.create('propagationpolicies', { ...policy, spec: { resourceSelectors, placement } }, admin);
  for (let index = 0; index < workloads; index += 1) {
    const replicas = REPLICAS[index % REPLICAS.length] ?? 3;
    store.create('deployments', deploymentOf({ name: nameOf(index), namespace, replicas }), admin);
    if (index % 1000 === 999) await members.settled();
  }
  await members.settled();
  store.onChange(observe);
}

function nameOf(index: number): string {
  return `web-${String(index).padStart(6, '0')}`;
}

/** The policy moves the workloads with the most replicas first. */
async function recover(size: number): Promise<void> {
  const { store, members } = hub();
  const order = [{ by: 'Replicas', descending: true }];
  const triggers = { clusterRecovered: { stableFor: '0s' } };
  const spec = { triggers, strategy: { waves: { size }, order } };
  const kind = { apiVersion: 'evenkeel.dev/v1alpha1', kind: 'RebalancePolicy' };
  store.create('rebalancepolicies', { ...kind, metadata: { name: POLICY }, spec }, admin);
  await wait(LATER_MS);
  members.recover(FAILED);
}

function observe({ plural, object, previous }: StoreChange): void {
  if (plural !== 'resourcebindings') return;
  const { name, annotations } = object.metadata;
  const spec = object.spec as unknown as BindingSpec;
  if (spec.rescheduleTriggeredAt !== previous?.spec?.rescheduleTriggeredAt) {
    triggers.set(name, (triggers.get(name) ?? 0) + 1);
    inFlight.add(name);
    mostInFlight = Math.max(mostInFlight, inFlight.size);
    const wave = annotations?.[TRIGGERED_BY] ?? '';
    waves.set(wave, [...(waves.get(wave) ?? []), spec.replicas]);
  } else if (inFlight.has(name) && isReady(spec, object.status)) inFlight.delete(name);
}

interface BindingSpec {
  readonly replicas: number;
  readonly rescheduleTriggeredAt?: string;
  readonly clusters?: readonly { readonly name: string; readonly replicas: number }[];
}

interface BindingStatus {
  readonly lastScheduledTime?: string;
  readonly aggregatedStatus?: readonly { readonly clusterName: string; readonly status?: { readyReplicas?: number } }[];
}

function isReady({ clusters = [], rescheduleTriggeredAt = '' }: BindingSpec, status: BindingStatus = {}): boolean {
  const ready = new Map(
    status.aggregatedStatus?.map((each) => [each.clusterName, each.status?.readyReplicas ?? 0] as const),
  );
  const isScheduled = Date.parse(status.lastScheduledTime ?? '') >= Date.parse(rescheduleTriggeredAt);
  return isScheduled && clusters.every(({ name, replicas }) => (ready.get(name) ?? 0) >= replicas);
}

function progress(): HubProgress {
  const { store } = hub();
  const status = store.get('rebalancepolicies', { namespace: '', name: POLICY })?.status;
  const { lastRun } = (status ?? {}) as { lastRun?: { state?: string } };
  let returned = 0;
  for (const { spec } of store.list('resourcebindings', namespace))
    for (const { name, replicas } of (spec as unknown as BindingSpec).clusters ?? [])
      if (name === FAILED) returned += replicas;
  return {
    triggered: triggers.size,
    triggeredAgain: [...triggers.values()].filter((times) => times > 1).length,
    mostInFlight,
    waves: waves.size,
    outOfOrder: outOfOrder([...waves.values()]),
    returned,
    run: lastRun?.state ?? '',
  };
}

function outOfOrder(replicas: readonly (readonly number[])[]): number {
  return replicas.filter((wave, place) => Math.max(...wave) > Math.min(...(replicas[place - 1] ?? [Infinity]))).length;
}

answerRequests(async (request: WavesRequest): Promise<HubProgress | undefined> => {
  switch (request.do) {
    case 'start':
      await start(request);
      return undefined;
    case 'place':
      await place(request.workloads);
      return undefined;
    case 'recover':
      await recover(request.waveSize);
      return undefined;
    case 'progress':
      return progress();
  }
});
