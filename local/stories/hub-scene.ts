/** A story's view of a Karmada hub through its API: the practice hub, or a user's own hub. */

import { Fault } from '../../shared/core/fault.ts';
import type { Connection } from '../../shared/kubernetes/client/connection.ts';
import { createTransport, type Transport } from '../../shared/kubernetes/client/transport.ts';
import type { ObjectKey } from '../../shared/kubernetes/object-key.ts';
import type { MemberShare } from '../practice-hub/fleet.ts';
import type { KubeObject } from '../practice-hub/store/objects.ts';
import { paths, type Scene, StepFailed, type StoryFleet } from './scene.ts';

type SceneAsk = Scene['ask'];

/** Karmada evicts replicas that do not tolerate it, as for a failed cluster. */
const TAINT = { key: 'evenkeel.dev/story', effect: 'NoExecute' };
const TIMEOUT_MS = 10_000;
const MAX_ATTEMPTS = 5;

/** A separate namespace, since the story deletes objects of its names. */
const NAMESPACE = 'evenkeel-story';
/** Timing of a real Karmada: a cluster's taint takes effect within seconds, an eviction waits for its replacement. */
const TIMING = { timeoutMs: 120_000, inertMs: 5000 };

/** Plays on the hub of this connection, whose user must be allowed to taint clusters. */
export async function onHub(
  connection: Connection,
  context: Pick<Scene, 'hubName' | 'stack' | 'print'>,
  play: (scene: Scene) => Promise<void>,
): Promise<void> {
  const { ask, close } = requestsOf(connection);
  try {
    const fleet = await fleetOf(ask);
    if ((await ask('GET', `${paths.namespaces}/${NAMESPACE}`)) === undefined)
      await ask('POST', paths.namespaces, { metadata: { name: NAMESPACE } });
    try {
      await play({ ...context, ask, fleet, namespace: NAMESPACE, timing: TIMING });
    } finally {
      for (const member of fleet.memberNames) await fleet.recover(member);
      await ask('DELETE', `${paths.namespaces}/${NAMESPACE}`);
    }
  } finally {
    close();
  }
}

export function requestsOf(connection: Connection): { ask: SceneAsk; close: () => void } {
  const transport = createTransport(connection, { maxSockets: 4, timeoutMs: TIMEOUT_MS, userAgent: 'story' });
  return { ask: (method, path, body) => ask(transport, { method, path, body }), close: () => transport.close() };
}

async function ask(
  transport: Transport,
  { method, path, body }: { method: 'GET' | 'POST' | 'PATCH' | 'DELETE'; path: string; body: object | undefined },
): Promise<KubeObject | undefined> {
  const contentType = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
  const answer = await transport.send({ method, path, ...(body && { body, contentType }) });
  if (answer.status === 404 && method !== 'POST') return undefined;
  const object = answer.body as KubeObject & { message?: string };
  if (answer.status >= 300)
    throw new StepFailed(`${method} ${path} was answered ${answer.status}: ${object.message ?? ''}`);
  return object;
}

interface ClusterObject {
  readonly metadata: { readonly name: string; readonly resourceVersion: string };
  readonly spec?: { readonly taints?: readonly { readonly key: string; readonly effect: string }[] };
}

/** The members of a real hub; a failure is simulated by a taint. */
async function fleetOf(ask: SceneAsk): Promise<StoryFleet> {
  const list = (await ask('GET', paths.clusters)) as { items?: readonly ClusterObject[] } | undefined;
  const memberNames = (list?.items ?? []).map(({ metadata }) => metadata.name).sort();
  if (memberNames.length < 2) {
    throw new Fault('terminal', `a story needs two member clusters; this hub has ${memberNames.length}`, {
      reason: 'TooFewMembers',
    });
  }
  return {
    memberNames,
    fail: async (member) => {
      await changeTaints(ask, member, (taints) => [...taints, TAINT]);
      return `${member} gets the taint ${TAINT.key}:${TAINT.effect}, and its replicas are evicted`;
    },
    recover: async (member) => {
      await changeTaints(ask, member, (taints) => taints);
      return `${member} loses the taint, and has its full capacity`;
    },
    distribution: (binding) => distribution(ask, binding),
  };
}

type Taints = NonNullable<NonNullable<ClusterObject['spec']>['taints']>;

/** Taints are one list that Karmada writes too, so the write is conditional on the version that was read. */
async function changeTaints(ask: SceneAsk, member: string, change: (others: Taints) => Taints): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const path = `${paths.clusters}/${member}`;
    const { metadata, spec } = (await ask('GET', path)) as unknown as ClusterObject;
    const others = (spec?.taints ?? []).filter(({ key }) => key !== TAINT.key);
    const { resourceVersion } = metadata;
    try {
      await ask('PATCH', path, { metadata: { resourceVersion }, spec: { taints: change(others) } });
      return;
    } catch (thrown) {
      if (attempt === MAX_ATTEMPTS) throw thrown;
    }
  }
}

interface HubBinding {
  readonly spec?: { readonly clusters?: readonly { name: string; replicas?: number }[] };
  readonly status?: {
    readonly aggregatedStatus?: readonly { clusterName: string; status?: { readyReplicas?: number } }[];
  };
}

async function distribution(ask: SceneAsk, key: ObjectKey): Promise<ReadonlyMap<string, MemberShare>> {
  const { spec, status } = ((await ask('GET', paths.binding(key))) ?? {}) as HubBinding;
  const ready = new Map(status?.aggregatedStatus?.map((one) => [one.clusterName, one.status?.readyReplicas ?? 0]));
  const clusters = spec?.clusters ?? [];
  return new Map(clusters.map(({ name, replicas = 0 }) => [name, { assigned: replicas, ready: ready.get(name) ?? 0 }]));
}
