/** `evenkeel plan` on a hub over HTTP, and a comparison of its forecast with the practice scheduler. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { parse, stringify } from 'yaml';
import { type HubServer, startHubServer } from '../../local/practice-hub/hub-server.ts';
import {
  byAvailable,
  deployment,
  type PracticeFleet,
  policy,
  startPracticeFleet,
  three,
  user,
} from '../fakes/practice-fleet.ts';
import { AGGREGATED, byStaticWeight, DUPLICATED } from '../placed-objects.ts';
import { binding, cluster, plan, rebalancer, recovered, reference, web } from './plan-scene.ts';

const folder = mkdtempSync(join(tmpdir(), 'evenkeel-plan-hub-'));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

interface Planned {
  readonly name: string;
  readonly fresh: Readonly<Record<string, number>> | null;
  readonly moves: number;
  readonly outcome: string;
}

const bindingsIn = (out: string) => (JSON.parse(out) as { bindings: readonly Planned[] }).bindings;
const namesIn = (out: string) => bindingsIn(out).map(({ name }) => name);

describe('evenkeel plan on a hub', () => {
  let hub: HubServer;
  let kubeconfig: string;
  /** Creates an object with its status, which a hub accepts only in a second write. */
  const put = (plural: string, object: object & { readonly status?: object }) => {
    const { metadata } = hub.store.create(plural, object, user);
    const key = { namespace: metadata.namespace ?? '', name: metadata.name };
    const body = { status: object.status };
    if (object.status) hub.store.patch(plural, key, { type: 'merge', body, subresource: 'status' }, user);
  };

  beforeEach(async () => {
    hub = await startHubServer({ port: 0 });
    kubeconfig = file('kubeconfig', hub.kubeconfig());
    for (const name of ['shop', 'jobs'])
      hub.store.create('namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }, user);
    for (const each of recovered) put('clusters', each);
    put('resourcebindings', web);
    put('resourcebindings', binding('batch', { namespace: 'jobs', now: { member1: 12 } }));
  });
  afterEach(() => hub.close());

  it('plans all bindings of the hub, and changes nothing there', async () => {
    const before = hub.store.list('resourcebindings');
    const { code, out, errors } = await plan('--kubeconfig', kubeconfig, '-A', '-o', 'json');
    expect([code, errors]).toEqual([3, []]);
    expect(bindingsIn(out)).toMatchObject([
      { name: 'batch-deployment', moves: 6 },
      { name: 'web-deployment', moves: 4 },
    ]);
    expect(hub.store.list('resourcebindings')).toEqual(before);
  });

  it('uses the hub of the current kubectl context', async () => {
    vi.stubEnv('KUBECONFIG', kubeconfig);
    const { out } = await plan('-A', '-o', 'json');
    expect(namesIn(out)).toEqual(['batch-deployment', 'web-deployment']);
    vi.unstubAllEnvs();
  });

  it("plans the context's namespace without -n and -A, and notes that it is empty", async () => {
    const { code, out, errors } = await plan('--kubeconfig', kubeconfig, '-o', 'json');
    expect([code, namesIn(out)]).toEqual([0, []]);
    expect(errors).toEqual(['namespace default has no bindings; -A plans those of all']);
    const ofShop = parse(hub.kubeconfig()) as { contexts: { context: { namespace?: string } }[] };
    for (const each of ofShop.contexts) each.context.namespace = 'shop';
    const file2 = file('kubeconfig-shop', stringify(ofShop));
    expect(namesIn((await plan('--kubeconfig', file2, '-o', 'json')).out)).toEqual(['web-deployment']);
  });

  it.each([
    [['deploy/web', '-n', 'shop']],
    [['deployments/web', '-n', 'shop']],
    [['deploy/shop/web']],
    [['web', '-A']],
  ])('plans the workload that %j names', async (args) => {
    const { out } = await plan('--kubeconfig', kubeconfig, ...args, '-o', 'json');
    expect(namesIn(out)).toEqual(['web-deployment']);
  });

  it('reports a namespace that the hub does not have', async () => {
    const { code, errors } = await plan('--kubeconfig', kubeconfig, '-n', 'nope');
    expect([code, errors]).toEqual([2, ['namespace "nope" not found; kubectl get namespaces lists those of the hub']]);
  });

  it('names the namespace in which a workload is not there', async () => {
    const { code, errors } = await plan('--kubeconfig', kubeconfig, 'deploy/web', '-n', 'jobs');
    expect([code, errors]).toEqual([
      2,
      ['there is no binding or workload "deploy/web" in namespace jobs; name one that is there: batch-deployment'],
    ]);
  });

  it('plans only the namespace that -n names', async () => {
    const { out } = await plan('--kubeconfig', kubeconfig, '-n', 'jobs', '-o', 'json');
    expect(namesIn(out)).toEqual(['batch-deployment']);
  });

  it('plans only the workloads that a WorkloadRebalancer of the hub names', async () => {
    put('workloadrebalancers', rebalancer('bring-back', reference('web'), reference('gone')));
    const { out } = await plan('--kubeconfig', kubeconfig, '--rebalancer', 'bring-back', '-o', 'json');
    expect(bindingsIn(out).map(({ name, outcome }) => [name, outcome])).toEqual([
      ['gone-deployment', 'ReferencedBindingNotFound'],
      ['web-deployment', 'Success'],
    ]);
  });

  it('plans a WorkloadRebalancer from a file before it is created', async () => {
    const wish = file('rebalancer.json', JSON.stringify(rebalancer('bring-back', reference('web'))));
    const { out } = await plan('--kubeconfig', kubeconfig, '-f', wish, '-o', 'json');
    expect(bindingsIn(out)).toMatchObject([{ name: 'web-deployment', moves: 4 }]);
  });

  it('uses a cluster or binding from a file instead of that of the hub', async () => {
    const larger = file('larger.json', JSON.stringify(cluster('member1', { pods: 40 })));
    const { out } = await plan('--kubeconfig', kubeconfig, '-f', larger, '-n', 'shop', '-o', 'json');
    expect(bindingsIn(out)).toMatchObject([{ fresh: { member1: 6, member2: 3, member3: 3 }, moves: 6 }]);
  });

  it('reports objects that it cannot read, plans the rest and exits with 2', async () => {
    const odd = binding('odd', {
      replicaScheduling: { replicaSchedulingType: 'Divided', replicaDivisionPreference: 'Cheapest' },
    });
    put('resourcebindings', odd);
    const { code, out, errors } = await plan('--kubeconfig', kubeconfig, '-A', '-o', 'json');
    expect([code, namesIn(out)]).toEqual([2, ['batch-deployment', 'web-deployment']]);
    expect(errors).toEqual([
      'left out: ResourceBinding shop/odd-deployment: spec.placement.replicaScheduling.replicaDivisionPreference: Unsupported value: "Cheapest": supported values: "Aggregated", "Weighted"',
    ]);
  });

  it('rejects a WorkloadRebalancer that the hub does not have', async () => {
    const { code, out, errors } = await plan('--kubeconfig', kubeconfig, '--rebalancer', 'unknown');
    expect([code, out]).toEqual([2, '']);
    expect(errors).toEqual([
      `--rebalancer unknown: the hub of ${kubeconfig} has no WorkloadRebalancer of that name; name one it has`,
    ]);
  });

  it('reports that the hub is unreachable', async () => {
    await hub.close();
    const { code, out, errors } = await plan('--kubeconfig', kubeconfig);
    expect([code, out]).toEqual([2, '']);
    expect(errors.join('')).toMatch(
      /^GET \/apis\/cluster.karmada.io\/v1alpha1\/clusters at 127.0.0.1:\d+: .*ECONNREFUSED/,
    );
  });
});

describe('the Fresh distribution of a plan', () => {
  const term = (affinityName: string, ...clusterNames: string[]) => ({ affinityName, clusterNames });
  const placements: readonly (readonly [string, object])[] = [
    ['dynamic weights', byAvailable],
    ['aggregated', { replicaScheduling: AGGREGATED }],
    ['static weights', { replicaScheduling: byStaticWeight({ member1: 3, member2: 1 }) }],
    ['duplicated', { replicaScheduling: DUPLICATED }],
    ['no replicaScheduling', {}],
    ['an affinity', { ...byAvailable, clusterAffinity: { exclude: ['member2'] } }],
    ['at most two clusters', { ...byAvailable, spreadConstraints: [{ spreadByField: 'cluster', maxGroups: 2 }] }],
    [
      'terms in order',
      { ...byAvailable, clusterAffinities: [term('own', 'member1'), term('all', 'member1', 'member3')] },
    ],
    ['a cluster that does not exist', { ...byAvailable, clusterAffinity: { clusterNames: ['member9'] } }],
  ];
  const sizes = [1, 7, 12, 18];
  const cases = placements.flatMap(([name, placement]) =>
    sizes.map((replicas) => [name, replicas, placement] as const),
  );

  it.each(cases)('is that of the scheduler after a trigger: %s, %d replicas', async (_, replicas, placement) => {
    const hub = afterAnOutage(placement, replicas);
    const objects = [...hub.store.list('clusters'), ...hub.store.list('resourcebindings', 'shop')];
    const fleet = file('fleet.json', JSON.stringify({ kind: 'List', items: objects }));
    const { out } = await plan('-f', fleet, 'web', '-o', 'json');
    const [planned] = bindingsIn(out);
    const before = hub.assigned('web');

    hub.trigger('web', '2030-01-01T00:00:00Z');
    hub.clock.runAll();

    const { reason } = hub.condition('web', 'Scheduled');
    expect(planned?.outcome).toBe(reason);
    const after = hub.assigned('web');
    expect(after).toEqual(planned?.fresh ?? (reason === 'NoClusterFit' ? {} : before));
    const lost = Object.entries(before).map(([name, count]) => Math.max(0, count - (after[name] ?? 0)));
    expect(planned?.moves).toBe(lost.reduce((sum, count) => sum + count, 0));
  });
});

/** Another workload takes capacity; member1 has failed and recovered. */
function afterAnOutage(placement: object, replicas: number): PracticeFleet {
  const hub = startPracticeFleet({ members: three });
  hub.store.create('propagationpolicies', policy('tenant', byAvailable), user);
  hub.store.create('deployments', deployment('tenant', { replicas: 8 }), user);
  hub.clock.runAll();
  hub.store.create('propagationpolicies', policy('web', placement), user);
  hub.store.create('deployments', deployment('web', { replicas }), user);
  hub.clock.runAll();
  hub.fleet.fail('member1');
  hub.clock.runAll();
  hub.fleet.recover('member1');
  hub.clock.runAll();
  return hub;
}
