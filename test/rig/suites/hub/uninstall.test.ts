/** `evenkeel uninstall` on a real API server: a hub has the same objects as before Evenkeel was installed. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openHub } from '../../../../cli/open-hub.ts';
import { FINALIZER, OWNER_LABEL } from '../../../../shared/elastic-workload/elastic-workload.ts';
import { REDUCTION_STRATEGY } from '../../../../shared/graceful-reduction/replica-reduction.ts';
import { releaseAllHeld } from '../../../../shared/graceful-reduction/write-releases.ts';
import { POLICY_LABEL, WAVE_ANNOTATION } from '../../../../shared/workload-rebalancer/workload-rebalancer.ts';
import { elasticOf, plain } from '../../../shared/elastic-workload/elastic-cases.ts';
import type { ApiServer } from '../../parts/api-server.ts';
import { startEvenkeel, stopEvenkeel } from '../../parts/evenkeel.ts';
import { type Hub, startHub } from '../../parts/hub.ts';
import { startHubControllers } from '../../parts/hub-controllers.ts';
import { deploymentIn, HubClient, REBALANCERS, until } from '../hub-client.ts';
import { rigBeside } from '../rig-of-suite.ts';

const CLI = join(import.meta.dirname, '..', '..', '..', '..', 'cli', 'evenkeel.ts');
const SHOP = 'shop';
const BINDINGS = `/apis/work.karmada.io/v1alpha2/namespaces/${SHOP}/resourcebindings`;
const WORKS = 'manifestworks';

const rig = rigBeside('uninstall');
let hub: Hub;
let client: HubClient;
let before: Objects;

/** By path of the API: what an object has, apart from what the API server writes by itself. */
type Objects = Readonly<Record<string, unknown>>;

interface Dumped {
  readonly metadata: Readonly<Record<string, unknown>> & { readonly name: string; readonly namespace?: string };
  readonly spec?: Readonly<Record<string, unknown>>;
}

/** Written by the API server at each write, or with the time. */
const GENERATED = ['resourceVersion', 'generation', 'managedFields'];
/** Written by the API server or its controllers while nothing else happens, and Events, which expire. */
const VOLATILE = ['events', 'leases', 'componentstatuses'];
/** A trigger: Karmada's own field, by which its scheduler has acted. */
const TRIGGER = 'rescheduleTriggeredAt';

interface ResourceList {
  readonly resources: readonly { readonly name: string; readonly verbs: readonly string[] }[];
}

/** All objects of all kinds that the hub serves in their preferred version. */
async function dump(api: HubClient): Promise<Objects> {
  const { groups } = await api.get<{ groups: readonly { preferredVersion: { groupVersion: string } }[] }>('/apis');
  const roots = ['/api/v1', ...groups.map(({ preferredVersion }) => `/apis/${preferredVersion.groupVersion}`)];
  const found: Record<string, unknown> = {};
  for (const root of roots) {
    const { resources } = await api.get<ResourceList>(root);
    const listed = resources.filter(({ name, verbs }) => verbs.includes('list') && !VOLATILE.includes(name));
    for (const { name } of listed)
      for (const object of await api.list<Dumped>(`${root}/${name}`)) {
        const { metadata, spec } = object;
        found[`${root}/${name}/${metadata.namespace ?? ''}/${metadata.name}`] = {
          ...object,
          metadata: without(metadata, GENERATED),
          ...(spec && { spec: without(spec, [TRIGGER]) }),
        };
      }
  }
  return found;
}

function without(fields: Readonly<Record<string, unknown>>, names: readonly string[]): object {
  return Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => !names.includes(name) && JSON.stringify(value) !== '{}'),
  );
}

/** Open Cluster Management's kind, as far as an uninstall reads it: its own definition belongs to another suite. */
const worksDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${WORKS}.work.open-cluster-management.io` },
  spec: {
    group: 'work.open-cluster-management.io',
    names: { kind: 'ManifestWork', plural: WORKS, singular: 'manifestwork', listKind: 'ManifestWorkList' },
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
};

async function ofUsers(server: ApiServer): Promise<void> {
  await startHubControllers(rig, server);
  await server.kubectl.apply([worksDefinition]);
  client = await HubClient.of(server.adminKubeconfig);
  await client.bindings(SHOP, ['web', 'api']);
  const annotations = { [REDUCTION_STRATEGY]: 'DelayWorkDeletion', 'evenkeel.dev/move-limit': '1', owner: 'shop' };
  await client.merge(`${BINDINGS}/web-deployment`, { metadata: { annotations }, spec: { replicas: 6, clusters: two } });
  // Kinds, priority levels and service accounts of the API server appear a moment after its start.
  let last = '';
  before = await until('the hub is settled', async () => {
    const now = await dump(client);
    const text = JSON.stringify(now);
    if (text === last) return now;
    last = text;
    return undefined;
  });
}

const two = [
  { name: 'm1', replicas: 4 },
  { name: 'm2', replicas: 2 },
];

const moved = [
  { name: 'm2', replicas: 2 },
  { name: 'm3', replicas: 4 },
];

beforeAll(async () => {
  hub = await startHub(rig, { scheduler: true, beforeInstall: ofUsers });
});
afterAll(() => rig.down());

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly error: string;
}

function uninstall(...args: readonly string[]): Promise<Ran> {
  const all = [CLI, 'uninstall', '--kubeconfig', hub.adminKubeconfig, ...args];
  return new Promise((resolve) => {
    execFile(process.execPath, all, { encoding: 'utf8' }, (thrown, out, error) => {
      resolve({ code: thrown ? Number(thrown.code) : 0, out, error });
    });
  });
}

const metadata = (name: string, more: object = {}) => ({ metadata: { name, ...more } });

it('a hub has the objects that it had before all parts were installed and used', async () => {
  await hub.kubectl.typed(await hub.manifests('bridge', 'member-rbac', 'admission-webhook', 'hold-webhook'));
  await startEvenkeel(rig, hub, { resyncMinutes: 60 });
  await client.rebalancer('web', [deploymentIn(SHOP, 'web'), deploymentIn(SHOP, 'api')]);
  await client.finished('web');
  await stopEvenkeel(rig);
  await client.delete(`${REBALANCERS}/web`);
  const { metadata: triggered } = await client.binding(SHOP, 'web');
  expect(Object.keys(triggered.annotations ?? {})).toContain('evenkeel.dev/triggered-by');

  // The policy on the hub holds the reduction of m1.
  await client.merge(`${BINDINGS}/web-deployment`, { spec: { clusters: moved } });
  const held = await uninstall('--yes');
  expect([held.code, held.error]).toEqual([
    2,
    'evenkeel: nothing is removed; replicas are held: resourcebinding.work.karmada.io/shop/web-deployment on m1 (wait, or run evenkeel release -A --all)\n',
  ]);
  const { hub: opened } = await openHub({ kubeconfig: hub.adminKubeconfig });
  await client.merge(`${BINDINGS}/web-deployment`, { spec: { clusters: two } });
  await releaseAllHeld(opened);

  const labels = { [POLICY_LABEL]: 'p' };
  const wave = metadata('policy-1', { labels, annotations: { [WAVE_ANNOTATION]: 'run/1' } });
  const workloads = [deploymentIn(SHOP, 'web')];
  const account = await HubClient.of(hub.kubeconfig);
  const rebalancer = { apiVersion: 'apps.karmada.io/v1alpha1', kind: 'WorkloadRebalancer', ...wave };
  await account.create(REBALANCERS, { ...rebalancer, spec: { workloads } });
  account.close();
  const ours = { apiVersion: 'evenkeel.dev/v1alpha1' };
  const limits = [{ per: 'Hub', replicas: '5' }];
  await hub.kubectl.apply([
    { ...ours, kind: 'RebalancePolicy', ...metadata('p'), spec: { triggers: { clusterRecovered: {} } } },
    { ...ours, kind: 'MoveBudget', ...metadata('b'), spec: { limits } },
  ]);
  const elastic = elasticOf('spread', plain, 'workload.open-cluster-management.io');
  await hub.kubectl.apply([{ ...elastic, ...metadata('spread', { namespace: SHOP, finalizers: [FINALIZER] }) }]);
  const work = metadata('wl.shop.spread', { namespace: SHOP, labels: { [OWNER_LABEL]: 'x' } });
  await hub.kubectl.apply([{ apiVersion: 'work.open-cluster-management.io/v1', kind: 'ManifestWork', ...work }]);

  const blocked = await uninstall('--yes');
  expect([blocked.code, blocked.out]).toEqual([2, '']);
  expect(blocked.error).toContain('not finished: workloadrebalancer.apps.karmada.io/policy-1 (wait, or delete it)');
  expect(blocked.error).toContain('movebudget.evenkeel.dev/b, rebalancepolicy.evenkeel.dev/p');
  expect(blocked.error).toContain('elasticworkload.workload.open-cluster-management.io/shop/spread');
  expect(blocked.error).toContain('(confirm with --delete-objects)');
  const finishTime = new Date().toISOString();
  await client.merge(`${REBALANCERS}/policy-1/status`, { status: { finishTime } });

  const shown = await uninstall('--delete-objects', '-o', 'json');
  const done = await uninstall('--delete-objects', '--yes', '-o', 'json');
  expect([shown.error, done.error]).toEqual(['', '']);
  const [would, did] = [shown, done].map(({ out }) => JSON.parse(out) as Readonly<Record<string, unknown>>);
  expect([would?.isRemoved, did?.isRemoved]).toEqual([false, true]);
  expect([did?.deleted, did?.cleared, did?.kept]).toEqual([would?.deleted, would?.cleared, []]);
  console.log(
    `deleted: ${(did?.deleted as readonly string[]).length} objects; ${Object.keys(before).length} were there before`,
  );

  const after = await until(
    'the hub is as before',
    async () => {
      const now = await dump(client);
      return JSON.stringify(sorted(now)) === JSON.stringify(sorted(before)) ? now : undefined;
    },
    60_000,
  ).catch(() => dump(client));
  expect(after).toEqual(before);
  expect(await uninstall('--yes')).toEqual({ code: 0, out: 'Nothing of Evenkeel is on the hub.\n', error: '' });
});

function sorted(objects: Objects): readonly [string, unknown][] {
  return Object.entries(objects).sort(([a], [b]) => (a < b ? -1 : 1));
}
