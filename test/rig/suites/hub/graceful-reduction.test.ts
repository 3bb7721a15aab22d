/** The admission policy and the webhook hold a reduction in the write that makes it; if the webhook's receiver is down or slow, the hub admits the write unchanged. */
import net from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startReviewHook } from '../../../../bench/admission/review-hook.ts';
import type { HookServer } from '../../../../local/hook-server.ts';
import { REAL_HUB } from '../../../../local/run.ts';
import { QUEUE, REDUCTION_STRATEGY } from '../../../../shared/graceful-reduction/replica-reduction.ts';
import type { ApiResponse } from '../../../../shared/kubernetes/client/transport.ts';
import { type BindingState, objectOf, specOf, stateOf } from '../../../shared/graceful-reduction/binding-states.ts';
import { type HoldWrite, HUB_TIME, holdWrites, OURS } from '../../../shared/graceful-reduction/hold-cases.ts';
import { entryWrites, type ReductionWrite, wordWrites } from '../../../shared/graceful-reduction/reduction-cases.ts';
import { ACCOUNT, type Hub, servesHoldPolicy, startHub } from '../../parts/hub.ts';
import { bindingsPath, HubClient, until } from '../hub-client.ts';
import { rigOfSuite } from '../rig-of-suite.ts';

const rig = rigOfSuite();
let hub: Hub;
let client: HubClient;
let ours: HubClient;

/** A name of this run, so that a rig which stays up can be used again. */
const started = Date.now();
const run = started.toString(36);
const namespace = `held-${run}`;

const NAMESPACED = bindingsPath(namespace);
const CLUSTER_WIDE = '/apis/work.karmada.io/v1alpha2/clusterresourcebindings';
const POLICIES = `/apis/policy.karmada.io/v1alpha1/namespaces/${namespace}/propagationpolicies`;
const CLUSTER_POLICIES = '/apis/policy.karmada.io/v1alpha1/clusterpropagationpolicies';

const cases = holdWrites
  .filter(({ prunedThere }) => !prunedThere)
  .map((write, i) => ({ ...write, path: `${NAMESPACED}/held-${i}` }));
/** Some of them on the other kind. */
const clusterWide = cases
  .filter((_, i) => i % 6 === 0)
  .map((write, i) => ({ ...write, path: `${CLUSTER_WIDE}/held-${run}-${i}` }));
const holds = [...cases, ...clusterWide];

const asking = { [REDUCTION_STRATEGY]: 'DelayWorkDeletion' };
const probe: BindingState = { notes: asking, clusters: { m1: 4, m2: 2 } };
const PROBE = `${NAMESPACED}/probe`;

/** The API server truncates timestamps to seconds. */
const CLOCKS_APART = 5000;

/** The policy must hold the reductions of a binding with this many clusters. */
const SUPPORTED_CLUSTERS = 500;

beforeAll(async () => {
  hub = await startHub(rig);
  client = await HubClient.of(hub.adminKubeconfig);
  ours = await HubClient.of(hub.kubeconfig);
  await client.create('/api/v1/namespaces', { metadata: { name: namespace } });
  // Objects that were created before the rules.
  await withoutPolicies();
  await untilRejected(false);
  await store(PROBE, probe);
  await withoutWebhooks();
  for (const { path, before } of holds) await store(path, before);
  await Promise.all(words.filter(({ before }) => before).map((word) => storeWord(word)));
});

afterAll(async () => {
  await hub.kubectl.typed(await hub.manifests());
  for (const { path } of clusterWide) await client.send({ method: 'DELETE', path });
  client.close();
  ours.close();
});

interface Word extends ReductionWrite {
  readonly collection: string;
  readonly name: string;
  readonly kind: 'a policy' | 'a cluster policy' | 'a binding';
}

const words: readonly Word[] = [
  ...wordWrites.map((write) => ({ ...write, collection: POLICIES, kind: 'a policy' as const })),
  ...wordWrites
    .filter((_, i) => i % 5 === 0)
    .map((write) => ({ ...write, collection: CLUSTER_POLICIES, kind: 'a cluster policy' as const })),
  ...[...wordWrites, ...entryWrites].map((write) => ({ ...write, collection: NAMESPACED, kind: 'a binding' as const })),
].map((write, i) => ({ ...write, name: `word-${run}-${i}` }));

function wordObject({ name, kind }: Word, annotations: object): object {
  const resourceSelectors = [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }];
  const spec = kind === 'a binding' ? specOf({ clusters: {} }) : { resourceSelectors };
  return { ...typeAt(kind), metadata: { name, annotations }, spec };
}

function typeAt(kind: Word['kind']): object {
  if (kind === 'a binding') return { apiVersion: 'work.karmada.io/v1alpha2', kind: 'ResourceBinding' };
  const named = kind === 'a policy' ? 'PropagationPolicy' : 'ClusterPropagationPolicy';
  return { apiVersion: 'policy.karmada.io/v1alpha1', kind: named };
}

async function storeWord(word: Word): Promise<void> {
  await client.create(word.collection, wordObject(word, word.before ?? {}));
}

function attemptWord(word: Word): Promise<ApiResponse> {
  const { collection, name, before, after } = word;
  if (before === undefined) {
    return client.send({ method: 'POST', path: `${collection}?dryRun=All`, body: wordObject(word, after) });
  }
  const gone = Object.keys(before).filter((note) => !(note in after));
  const annotations = { ...after, ...Object.fromEntries(gone.map((note) => [note, null])) };
  return client.send({
    method: 'PATCH',
    path: `${collection}/${name}?dryRun=All`,
    body: { metadata: { annotations } },
    contentType: 'application/merge-patch+json',
  });
}

/** Stores the state before a write: with its status, and a deletion that waits for a finalizer. */
async function store(path: string, state: BindingState): Promise<void> {
  const collection = path.slice(0, path.lastIndexOf('/'));
  const name = path.slice(collection.length + 1);
  const kind = collection === CLUSTER_WIDE ? 'ClusterResourceBinding' : 'ResourceBinding';
  const { metadata, spec, status } = objectOf(state);
  const { deletionTimestamp, ...rest } = metadata;
  const finalizers = deletionTimestamp === undefined ? [] : ['example.org/kept'];
  const body = { apiVersion: 'work.karmada.io/v1alpha2', kind, metadata: { ...rest, name, finalizers }, spec };
  await client.create(collection, body);
  if (status) await client.merge(`${path}/status`, { status });
  if (deletionTimestamp !== undefined) await client.delete(path);
}

/** As a dry run, which passes admission as any other write and stores nothing. */
async function attempt(path: string, before: BindingState, after: BindingState, by = client): Promise<ApiResponse> {
  const fields = { annotations: after.notes, labels: after.label === undefined ? undefined : { label: after.label } };
  const had = { annotations: before.notes, labels: before.label };
  const metadata = (['annotations', 'labels'] as const).flatMap((field) => {
    const at = `/metadata/${field}`;
    if (fields[field] !== undefined) return [{ op: 'add', path: at, value: fields[field] }];
    return had[field] === undefined || Object.keys(had[field]).length === 0 ? [] : [{ op: 'remove', path: at }];
  });
  return by.send({
    method: 'PATCH',
    path: `${path}?dryRun=All`,
    body: [...metadata, { op: 'replace', path: '/spec', value: specOf(after) }],
    contentType: 'application/json-patch+json',
  });
}

type Stored = Parameters<typeof stateOf>[0];

async function expectHeld({
  path,
  before,
  after,
  stored = after,
  by,
}: HoldWrite & { readonly path: string }): Promise<void> {
  const { status, body } = await attempt(path, before, after, by === OURS ? ours : client);
  expect([status, (body as { message?: string }).message]).toEqual([200, undefined]);
  const result = stateOf(body as Stored);
  expect({ ...result, notes: atHubTime(result.notes, before.hubTime) }).toEqual(stateOf(objectOf(stored)));
}

/** Replaces timestamps that the hub wrote by those of the table: HUB_TIME, or none. */
function atHubTime(notes: Readonly<Record<string, string>>, hubTime: string | undefined): Record<string, string> {
  const stamp = /,"creationTimestamp":"([^"]*)"/;
  return Object.fromEntries(
    Object.entries(notes).map(([name, text]) => {
      const time = Date.parse(stamp.exec(text)?.[1] ?? '');
      const isOfThisRun = time >= started - CLOCKS_APART && time <= Date.now() + CLOCKS_APART;
      const expected = hubTime === undefined ? '' : `,"creationTimestamp":"${HUB_TIME}"`;
      return [name, isOfThisRun ? text.replace(stamp, expected) : text];
    }),
  );
}

function expectResult({ status, body }: ApiResponse, { rejection }: ReductionWrite, how: string): void {
  const { message = '', reason } = body as { readonly message?: string; readonly reason?: string };
  if (rejection === undefined) expect([status < 300, message]).toEqual([true, '']);
  else expect([status, reason, message.slice(message.indexOf(how))]).toEqual([422, 'Invalid', `${how}${rejection}`]);
}

/** An API server applies changed policies and webhooks with a short delay. */
function untilHeld(held: boolean): Promise<unknown> {
  return until(`a reduction is ${held ? 'held' : 'admitted'}`, async () => {
    const { status, body } = await attempt(PROBE, probe, { ...probe, clusters: { m2: 6 } });
    // While its rules change, an API server may answer 503.
    if (status === 503) return undefined;
    expect(status).toBe(200);
    return `${QUEUE}m1` in stateOf(body as Stored).notes === held ? true : undefined;
  });
}

const rejectedOnes = ['a policy', 'a binding'].map((kind) =>
  words.find((word) => word.kind === kind && word.rejection !== undefined && word.before === undefined),
);

function untilRejected(rejected: boolean): Promise<unknown> {
  return until(`another strategy is ${rejected ? 'rejected' : 'admitted'}`, async () => {
    const answers = await Promise.all(rejectedOnes.flatMap((word) => (word ? [attemptWord(word)] : [])));
    return answers.every(({ status }) => status >= 400 === rejected) ? true : undefined;
  });
}

const HOLD = 'evenkeel-replica-reductions';
const WORDS = ['evenkeel-reduction-strategies', 'evenkeel-reduction-queues'];

const POLICY_PARTS = servesHoldPolicy ? ['hold-policy', 'admission-policy'] : ['admission-policy'];

async function withPolicies(): Promise<void> {
  await hub.kubectl.typed(await hub.manifests(...POLICY_PARTS));
  if (servesHoldPolicy) await untilHeld(true);
  await untilRejected(true);
}

async function withoutPolicies(): Promise<void> {
  if (servesHoldPolicy) await hub.kubectl.run('delete', 'mutatingadmissionpolicybinding', HOLD, '--ignore-not-found');
  await hub.kubectl.run('delete', 'validatingadmissionpolicybinding', ...WORDS, '--ignore-not-found');
}

async function withoutWebhooks(): Promise<void> {
  await hub.kubectl.run('delete', 'mutatingwebhookconfiguration', HOLD, '--ignore-not-found');
  const names = ['evenkeel-workloadrebalancers', 'evenkeel-reduction-strategies'];
  const validating = ['validatingwebhookconfiguration', ...names, '--ignore-not-found'];
  await hub.kubectl.run('delete', ...validating);
  await untilHeld(false);
}

/** For a binding of many clusters: the clusters that lose replicas, and the assignment afterwards. */
const shapes: Readonly<
  Record<string, (names: readonly string[]) => readonly [readonly string[], BindingState['clusters']]>
> = {
  'all lose some': (names) => [names, each(names, 1)],
  'all lose all': (names) => [names, {}],
  'half lose all, half some': (names) => [
    names,
    each(
      names.filter((_, i) => i % 2 === 1),
      1,
    ),
  ],
  'all gain some but the last': (names) => {
    const [last = ''] = names.slice(-1);
    return [[last], { ...each(names, 5), [last]: 1 }];
  },
};

function each(names: readonly string[], replicas: number): Readonly<Record<string, number>> {
  return Object.fromEntries(names.map((name) => [name, replicas]));
}

/** The number of writes that the API server admitted since its start because a webhook of ours did not answer. */
async function unanswered(): Promise<number> {
  const metrics = await hub.kubectl.run('get', '--raw', '/metrics');
  const counts = metrics.matchAll(/^apiserver_admission_webhook_fail_open_count\{.*\} (\d+)$/gm);
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
}

/** The lines that kubectl prints for changed objects. */
async function changedBy(...parts: readonly string[]): Promise<readonly string[]> {
  const printed = await hub.kubectl.typed(await hub.manifests(...parts));
  return printed
    .trimEnd()
    .split('\n')
    .filter((line) => !line.endsWith(' unchanged'));
}

describe('the policies', () => {
  beforeAll(withPolicies);

  it.each(words)('$kind with $description', async (word) => {
    expectResult(await attemptWord(word), word, 'denied request: ');
  });

  it('change nothing if they are applied again', async () => {
    expect(await changedBy(...POLICY_PARTS)).toEqual([]);
  });
});

// By version, never skipped: where the policy is not served, a test states what replaces it, and the webhooks below have the same cases.
if (servesHoldPolicy) describe('the hold policy', testHoldPolicy);
else
  describe('an API server without MutatingAdmissionPolicies', () => {
    it('rejects hold-policy, which names hold-webhook as its replacement, and gets the other objects', async () => {
      await withoutPolicies();
      await untilRejected(false);
      const manifests = await hub.manifests('hold-policy', 'admission-policy');
      expect(manifests).toMatch(/Where kubectl finds no matches for the kind, use\n# --only hold-webhook instead/);
      const kind = 'no matches for kind "MutatingAdmissionPolicy" in version "admissionregistration.k8s.io/v1beta1"';
      await expect(hub.kubectl.typed(manifests)).rejects.toThrow(kind);
      await untilRejected(true);
      await untilHeld(false);
    });
  });

function testHoldPolicy(): void {
  it.each(holds)('$description ($path)', expectHeld);

  it.each(Object.entries(shapes))(
    `holds the reductions of a binding of ${SUPPORTED_CLUSTERS} clusters if %s`,
    async (title, shape) => {
      const names = Array.from({ length: SUPPORTED_CLUSTERS }, (_, i) => `member-with-a-long-name-${i}`);
      const [lost, left] = shape(names);
      const before = { notes: asking, clusters: each(names, 4) };
      const after = { notes: asking, clusters: { ...left, 'the-new-one': 4 } };
      const path = `${NAMESPACED}/large-${title.replaceAll(/[ ,]+/g, '-')}`;
      await store(path, before);
      const { notes, requiredBy, suspended } = stateOf((await attempt(path, before, after)).body as Stored);
      const gone = lost.filter((name) => !(name in left));
      expect(Object.keys(notes).filter((name) => name.startsWith(QUEUE))).toHaveLength(lost.length);
      const kept = requiredBy.flatMap((line) => line.clusters.map(({ name }) => name));
      expect(kept.toSorted()).toEqual(gone.toSorted());
      expect(suspended.toSorted()).toEqual(lost.filter((name) => name in left).toSorted());
    },
  );

  it(`releases those of a binding of ${SUPPORTED_CLUSTERS} clusters in the first write after their grace period`, async () => {
    const names = Array.from({ length: SUPPORTED_CLUSTERS }, (_, i) => `member-with-a-long-name-${i}`);
    const entry = '{"replicas":4,"gracePeriodSeconds":600,"creationTimestamp":"2026-07-01T08:00:00Z"}';
    const entries = Object.fromEntries(names.map((name) => [`${QUEUE}${name}`, entry]));
    const after = { notes: asking, clusters: each(names, 1) };
    const before = { ...after, notes: { ...asking, ...entries }, suspended: names };
    const path = `${NAMESPACED}/large-overdue`;
    await withoutPolicies();
    await untilHeld(false);
    await store(path, before);
    await withPolicies();
    const { body } = await attempt(path, before, { ...before, label: 'seen' });
    expect(stateOf(body as Stored)).toEqual(stateOf(objectOf({ ...after, label: 'seen', suspended: [] })));
  });

  it(`resets the suspension of ${SUPPORTED_CLUSTERS} clusters within their grace period`, async () => {
    const names = Array.from({ length: SUPPORTED_CLUSTERS }, (_, i) => `member-with-a-long-name-${i}`);
    const before = { notes: asking, clusters: each(names, 4) };
    const path = `${NAMESPACED}/large-within`;
    await store(path, before);
    const moved = { ...before, clusters: { ...each(names, 1), 'the-new-one': 4 } };
    await client.merge(path, { spec: specOf(moved) });
    const { notes } = stateOf(await client.get<Stored>(path));
    const held = { ...moved, notes, suspended: names };
    const { body } = await attempt(path, held, { ...held, suspended: undefined, label: 'new-template' });
    const { suspended, ...rest } = stateOf(body as Stored);
    const { suspended: expected, ...others } = stateOf(objectOf({ ...held, label: 'new-template' }));
    expect({ ...rest, suspended: suspended.toSorted() }).toEqual({ ...others, suspended: expected.toSorted() });
  });
}

describe('the webhooks', () => {
  let hook: HookServer;

  beforeAll(async () => {
    await withoutPolicies();
    await untilHeld(false);
    await untilRejected(false);
    const { token, port, key, cert } = hub.hook;
    hook = await startReviewHook({ hub: REAL_HUB, account: ACCOUNT, token, port, tls: { key, cert } });
    await hub.kubectl.typed(await hub.manifests('hold-webhook', 'admission-webhook'));
    await untilHeld(true);
    await untilRejected(true);
  });

  it.each(holds)('$description ($path)', expectHeld);

  it.each(words)('$kind with $description', async (word) => {
    expectResult(await attemptWord(word), word, 'denied the request: ');
  });

  it('change nothing if they are applied again', async () => {
    expect(await changedBy('hold-webhook', 'admission-webhook')).toEqual([]);
  });

  it('together with the policies have the same effect as either', async () => {
    await withPolicies();
    for (const held of holds) await expectHeld(held);
    await withoutPolicies();
  });

  const reduction = { ...probe, clusters: { m2: 6 } };

  it('admit every write unchanged if the receiver is down', async () => {
    await hook.close();
    // The deletion of the policies may not be applied yet.
    await untilHeld(false);
    const before = await unanswered();
    const { status, body } = await attempt(PROBE, probe, reduction);
    expect([status, stateOf(body as Stored)]).toEqual([200, stateOf(objectOf(reduction))]);
    expect(await unanswered()).toBe(before + 1);
  });

  it('admit a reduction after three seconds if the receiver does not answer, and other writes at once', async () => {
    const sockets = new Set<net.Socket>();
    const tarpit = net.createServer((socket) => sockets.add(socket.on('error', () => undefined)));
    await new Promise<void>((resolve) => tarpit.listen(hub.hook.port, '127.0.0.1', resolve));
    try {
      const before = await unanswered();
      const began = performance.now();
      const { status, body } = await attempt(PROBE, probe, reduction);
      // The webhook's timeout is 3 s.
      expect(performance.now() - began).toBeGreaterThan(2500);
      expect([status, stateOf(body as Stored)]).toEqual([200, stateOf(objectOf(reduction))]);
      expect((await attempt(PROBE, probe, { ...probe, label: 'seen', clusters: { m1: 5, m2: 3 } })).status).toBe(200);
      expect(await unanswered()).toBe(before + 1);
    } finally {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => tarpit.close(resolve));
      await withoutWebhooks();
    }
  });
});
