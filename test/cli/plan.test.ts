/** `evenkeel plan` of a fleet in files: outcomes, formats, exit codes. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { AGGREGATED, byStaticWeight, DUPLICATED, DYNAMIC } from '../placed-objects.ts';
import { workOf } from '../work.ts';
import { binding, cluster, plan, type Ran, rebalancer, recovered, reference, web } from './plan-scene.ts';

const folder = mkdtempSync(join(tmpdir(), 'evenkeel-plan-'));
afterAll(() => rmSync(folder, { recursive: true }));

let files = 0;
function inFile(...objects: readonly object[]): string {
  files += 1;
  const file = join(folder, `fleet-${files}.json`);
  writeFileSync(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }));
  return file;
}

function planOf(objects: readonly object[], ...args: readonly string[]): Promise<Ran> {
  return plan('-f', inFile(...objects), ...args);
}

interface Planned {
  readonly bindings: readonly Record<string, unknown>[];
}

async function jsonOf(...objects: readonly object[]): Promise<Planned['bindings']> {
  const { out } = await planOf(objects, '-o', 'json');
  return (JSON.parse(out) as Planned).bindings;
}

const spread = 'DynamicWeight, Fresh: all divided anew';
const noCapacity = { placement: { clusterAffinity: { clusterNames: ['member1'] } }, replicas: 30 };

describe('a plan of several bindings', () => {
  const small = [cluster('member1', { pods: 6 }), cluster('member2', { pods: 0 })];
  const low = binding('a', { replicas: 6, now: { member2: 6 } });
  const high = binding('b', { replicas: 6, now: { member2: 6 }, spec: { schedulePriority: { priority: 1 } } });
  const onMember1 = (bindings: Planned['bindings']) =>
    bindings.map(({ fresh }) => (fresh as Readonly<Record<string, number>> | null)?.member1 ?? 0);

  it('uses the capacity of a cluster once, in the order in which they are scheduled', async () => {
    expect(onMember1(await jsonOf(...small, low, binding('c', { replicas: 6, now: { member2: 6 } })))).toEqual([3, 2]);
    expect(onMember1(await jsonOf(...small, low, high))).toEqual([2, 3]);
  });

  it('plans each as if it were the only one with --each-alone', async () => {
    const { out } = await planOf([...small, low, high], '-o', 'json', '--each-alone');
    expect(onMember1((JSON.parse(out) as Planned).bindings)).toEqual([3, 3]);
  });

  it('explains each by the capacity that is left for it', async () => {
    const { out } = await planOf([...small, low, high], '--explain');
    const weights = out.split('\n').filter((line) => line.includes('member1 '));
    expect(weights.map((line) => line.trim().split(/ +/).slice(0, 5).join(' '))).toEqual([
      'member1 0 0 2 3',
      'member1 0 0 3 6',
    ]);
  });
});

describe('a plan in files', () => {
  it('moves replicas back to a cluster that recovered: 0/6/6 becomes 4/4/4, 4 move, exit code 3', async () => {
    const { code, out, errors } = await planOf([...recovered, web], '-o', 'json');
    expect(JSON.parse(out)).toEqual({
      bindings: [
        {
          namespace: 'shop',
          name: 'web-deployment',
          replicas: 12,
          lastScheduledTime: null,
          placement: expect.any(String) as string,
          current: { member2: 6, member3: 6 },
          steady: { member2: 6, member3: 6 },
          fresh: { member1: 4, member2: 4, member3: 4 },
          moves: 4,
          outcome: 'Success',
          reason: spread,
        },
      ],
    });
    expect([code, errors]).toEqual([3, []]);
  });

  it('prints the same document as YAML', async () => {
    const { out, code } = await planOf([...recovered, web], '-o', 'yaml');
    const json = await planOf([...recovered, web], '-o', 'json');
    expect([code, parse(out)]).toEqual([3, JSON.parse(json.out)]);
  });

  it('exits with 0 if nothing would move', async () => {
    const even = binding('web', { now: { member1: 4, member2: 4, member3: 4 } });
    const clusters = ['member1', 'member2', 'member3'].map((name) => cluster(name, { allocated: 4 }));
    const { code, out } = await planOf([...clusters, even]);
    expect(code).toBe(0);
    expect(out).toBe(`NAMESPACE  BINDING         MOVES  FRESH                                   STEADY
shop       web-deployment      0  stays: member1 4, member2 4, member3 4  stays: member1 4, member2 4, member3 4

A rebalance would move nothing in 1 binding.
`);
  });

  it('prints one line per binding, in the order of namespace and name, and the sum', async () => {
    const { out } = await planOf([
      ...recovered,
      web,
      binding('api', { now: { member1: 2 }, replicas: 2, replicaScheduling: AGGREGATED }),
      binding('batch', { namespace: 'jobs', ...noCapacity, now: { member1: 5 } }),
    ]);
    const short = 'Unschedulable: Clusters available replicas 25 are not enough to schedule.';
    expect(out.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
      ['NAMESPACE', 'BINDING', 'MOVES', 'FRESH', 'STEADY'],
      ['jobs', 'batch-deployment', '0', short, 'Unschedulable'],
      ['shop', 'api-deployment', '0', 'stays: member1 2', 'stays: member1 2'],
      ['shop', 'web-deployment', '4', 'member1 0→4, member2 6→4, member3 6→4', 'stays: member2 6, member3 6'],
      [''],
      ['A rebalance would move 4 replicas in 1 of 3 bindings; 1 would not be scheduled.'],
      [''],
    ]);
  });

  it('prints the reason for the replicas of each cluster of a named binding', async () => {
    const tainted = cluster('member4', { taints: [{ key: 'maintenance', effect: 'NoSchedule' }] });
    const { out, code } = await planOf([...recovered, tainted, web, binding('api')], 'web');
    expect(code).toBe(3);
    expect(out).toBe(`shop/web-deployment: 12 replicas of Deployment shop/web
  Moves:  4
  Fresh:  DynamicWeight, Fresh: all divided anew
  Steady: DynamicWeight, Steady: all 12 stay
  CLUSTER  NOW  STEADY  FRESH  CAPACITY  WHY
  member1    0       0      4        20  weighs 20
  member2    6       6      4        14  weighs 20: 14 free and 6 of its own
  member3    6       6      4        14  weighs 20: 14 free and 6 of its own
  member4    0       0      0        20  had untolerated taint {maintenance:NoSchedule}

A rebalance would move 4 replicas in 1 of 1 binding.
`);
  });

  it('is limited to the namespace of -n', async () => {
    const objects = [...recovered, web, binding('other', { namespace: 'jobs', now: { member1: 12 } })];
    const { out } = await planOf(objects, '-n', 'shop', '-o', 'json');
    expect((JSON.parse(out) as Planned).bindings.map(({ name }) => name)).toEqual(['web-deployment']);
  });

  it.each(['web', 'web-deployment', 'deployment/web', 'Deployment/web'])('finds a binding by %s', async (name) => {
    const { out } = await planOf([...recovered, web, binding('web2')], name, '-o', 'json');
    expect((JSON.parse(out) as Planned).bindings.map((each) => each.name)).toEqual(['web-deployment']);
  });
});

describe('a plan for a hub with --failback', () => {
  const clusterAffinities = ['member1', 'member2'].map((name) => ({ affinityName: name, clusterNames: [name] }));
  const moved = {
    ...binding('web', { now: { member2: 12 }, placement: { clusterAffinities } }),
    status: { schedulerObservingAffinityName: 'member2' },
  };

  it.each([
    [[], 0, { member2: 12 }],
    [['--failback'], 12, { member1: 12 }],
    [['--failback', '--each-alone'], 12, { member1: 12 }],
  ])('starts from the first term of clusterAffinities: %j', async (options, moves, fresh) => {
    const { out } = await planOf([...recovered, moved], '-o', 'json', ...options);
    expect((JSON.parse(out) as Planned).bindings).toMatchObject([{ moves, fresh }]);
  });
});

describe('the outcome of a plan', () => {
  it('is Unschedulable, without a Fresh distribution and without moves, if capacity is insufficient', async () => {
    const [only] = await jsonOf(cluster('member1'), binding('web', { ...noCapacity, now: { member1: 5 } }));
    expect(only).toEqual({
      namespace: 'shop',
      name: 'web-deployment',
      replicas: 30,
      lastScheduledTime: null,
      placement: expect.any(String) as string,
      current: { member1: 5 },
      steady: null,
      fresh: null,
      moves: 0,
      outcome: 'Unschedulable',
      reason:
        'Clusters available replicas 25 are not enough to schedule. (DynamicWeight, Fresh: all divided anew: capacity for 25 of 30)',
    });
  });

  it('counts the replicas of the workload as capacity, except those under graceful eviction', async () => {
    const now = { member1: 5 };
    const full = [cluster('member1', { pods: 5, allocated: 5 }), cluster('member2', { pods: 0 })];
    const [only] = await jsonOf(...full, binding('web', { replicas: 5, now }));
    expect(only).toMatchObject({ steady: now, fresh: now, outcome: 'Success', moves: 0 });
    const evicting = { gracefulEvictionTasks: [{ fromCluster: 'member1' }] };
    const [leaving] = await jsonOf(...full, binding('web', { replicas: 5, now, spec: evicting }));
    expect(leaving).toMatchObject({ steady: null, fresh: null, outcome: 'Unschedulable', moves: 0 });
  });

  it('is NoClusterFit if no cluster fits, and then all assigned replicas move, as with the scheduler', async () => {
    const placement = { clusterAffinity: { clusterNames: ['member9'] } };
    const [only] = await jsonOf(...recovered, binding('web', { now: { member2: 6, member3: 6 }, placement }));
    expect(only).toMatchObject({
      steady: null,
      fresh: null,
      moves: 12,
      outcome: 'NoClusterFit',
      reason: '0/3 clusters are available: 3 cluster(s) did not match the placement cluster affinity constraint.',
    });
  });

  it('is CannotForecast for a field that only karmada-scheduler implements, and names the field', async () => {
    const placement = { workloadAffinity: { affinity: { groupByLabelKey: 'app' } } };
    const [only] = await jsonOf(...recovered, binding('web', { now: { member2: 12 }, placement }));
    expect(only).toMatchObject({ steady: null, fresh: null, moves: 0, outcome: 'CannotForecast' });
    expect(only?.reason).toBe(
      'spec.placement.workloadAffinity: Forbidden: not supported; only karmada-scheduler places such a binding',
    );
  });

  it('counts the moves of Duplicated and static weights', async () => {
    const bindings = await jsonOf(
      ...recovered,
      binding('all', { replicas: 2, now: { member1: 5 }, replicaScheduling: DUPLICATED }),
      binding('half', {
        replicas: 9,
        now: { member1: 9 },
        replicaScheduling: byStaticWeight({ member1: 2, member2: 1 }),
      }),
    );
    expect(bindings).toMatchObject([
      { name: 'all-deployment', fresh: { member1: 2, member2: 2, member3: 2 }, moves: 3 },
      { name: 'half-deployment', fresh: { member1: 6, member2: 3 }, moves: 3 },
    ]);
  });

  it('divides the replicas of a binding whose replicaScheduling has no type, as the CRD does by default', async () => {
    const { replicaSchedulingType: _, ...untyped } = DYNAMIC;
    const [typed] = await jsonOf(...recovered, binding('typed', { replicas: 9 }));
    const [without] = await jsonOf(...recovered, binding('untyped', { replicas: 9, replicaScheduling: untyped }));
    expect(typed).toMatchObject({ name: 'typed-deployment', fresh: { member1: 4, member2: 3, member3: 2 } });
    expect(without).toMatchObject({ name: 'untyped-deployment', fresh: { member1: 4, member2: 3, member3: 2 } });
  });

  it('assigns every fitting cluster to a binding without replicas', async () => {
    const role = {
      apiVersion: 'work.karmada.io/v1alpha2',
      kind: 'ClusterResourceBinding',
      metadata: { name: 'reader-clusterrole' },
      spec: {
        resource: { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', name: 'reader' },
        clusters: [{ name: 'member1' }],
        placement: {},
      },
    };
    const everywhere = { member1: 0, member2: 0, member3: 0 };
    const { out, code } = await planOf([...recovered, role], '-o', 'json');
    expect(code).toBe(0);
    expect((JSON.parse(out) as Planned).bindings).toMatchObject([
      { namespace: '', name: 'reader-clusterrole', current: { member1: 0 }, steady: everywhere, fresh: everywhere },
    ]);
    const { out: table } = await planOf([...recovered, role]);
    expect(table).toContain('member2 new, member3 new, 1 other stays');
  });

  it('uses the second term of clusterAffinities if the first has insufficient capacity, and names it', async () => {
    const placement = {
      clusterAffinities: [
        { affinityName: 'own', clusterNames: ['member1'] },
        { affinityName: 'rented', clusterNames: ['member2'] },
      ],
    };
    const objects = [cluster('member1', { pods: 3 }), cluster('member2'), binding('web', { replicas: 6, placement })];
    const [only] = await jsonOf(...objects);
    expect(only).toMatchObject({ fresh: { member2: 6 }, reason: `${spread}; term rented of clusterAffinities` });
  });

  it('warns about a suspended binding and about one of another scheduler', async () => {
    const [others, paused] = await jsonOf(
      ...recovered,
      binding('others', { now: { member1: 12 }, spec: { schedulerName: 'volcano' } }),
      binding('paused', { now: { member1: 12 }, spec: { suspension: { scheduling: true } } }),
    );
    expect(others?.reason).toBe(`${spread}; scheduler volcano assigns it, which may decide otherwise`);
    expect(paused?.reason).toBe(`${spread}; its scheduling is suspended: nothing happens until it is resumed`);
  });

  it('leaves out bindings that no scheduler assigns, with a note', async () => {
    const dependent = binding('dependent', { spec: { placement: null } });
    const { out, errors, code } = await planOf([...recovered, dependent]);
    expect([code, out]).toEqual([0, 'There is no binding with a placement to plan.\n']);
    expect(errors).toEqual([
      'left out 1 without a placement of their own: no scheduler assigns them (the first: that of Deployment shop/dependent)',
    ]);
  });

  it('assumes that a cluster without apiEnablements serves every kind, with a note', async () => {
    const plain = cluster('member1', { status: { apiEnablements: undefined } });
    const { out, errors } = await planOf([plain, binding('web')], '-o', 'json');
    expect((JSON.parse(out) as Planned).bindings).toMatchObject([{ fresh: { member1: 12 } }]);
    expect(errors).toEqual([
      '1 of the clusters have no status.apiEnablements (the first: member1); assumed to serve every kind',
    ]);
  });

  it('assumes that a cluster of a hub without a status serves nothing, as the scheduler does', async () => {
    const { status: _, ...joined } = cluster('member4') as { status: object };
    const fromHub = { ...joined, metadata: { name: 'member4', uid: 'uid-4' } };
    const all = binding('all', { replicas: 2, replicaScheduling: DUPLICATED });
    const [only] = await jsonOf(cluster('member1'), fromHub, all);
    expect(only).toMatchObject({ fresh: { member1: 2 } });
  });

  it('warns about clusters with resource models, with which Karmada estimates', async () => {
    const resourceModels = [{ grade: 0, ranges: [] }];
    const resourceSummary = { allocatable: { pods: '9' }, allocatableModelings: [{ grade: 0, count: 3 }] };
    const graded = cluster('member1', { spec: { resourceModels }, status: { resourceSummary } });
    const { errors } = await planOf([graded, web]);
    expect(errors).toEqual([
      '1 of the clusters have resource models (the first: member1); if Karmada estimates by them, it finds less capacity than this plan',
    ]);
  });
});

describe('a WorkloadRebalancer among the input', () => {
  const idle = binding('idle', { now: { member1: 12 } });

  it('restricts the plan to the workloads it names', async () => {
    const bindings = await jsonOf(...recovered, web, idle, rebalancer('bring-back', reference('web')));
    expect(bindings.map(({ name }) => name)).toEqual(['web-deployment']);
  });

  it('reports a workload that has no binding, as its status would', async () => {
    const objects = [...recovered, web, rebalancer('bring-back', reference('web'), reference('gone'))];
    const { out, code } = await planOf(objects);
    expect(code).toBe(3);
    expect(out).toContain('Deployment shop/gone has no binding: the rebalancer would report it Failed');
    expect(out).toContain('1 named without a binding.');
    const [gone] = await jsonOf(...objects);
    expect(gone).toEqual({
      namespace: 'shop',
      name: 'gone-deployment',
      replicas: 0,
      lastScheduledTime: null,
      placement: '',
      current: {},
      steady: null,
      fresh: null,
      moves: 0,
      outcome: 'ReferencedBindingNotFound',
      reason: 'Deployment shop/gone has no binding: the rebalancer would report it Failed',
    });
  });

  it('reports a workload whose binding is of another object', async () => {
    const other = { ...reference('web'), apiVersion: 'example.com/v1' };
    const reason =
      'Deployment shop/web has no binding of its own, but one of apps/v1 Deployment shop/web: the rebalancer would report it Failed';
    const objects = [...recovered, web, rebalancer('bring-back', other)];
    expect(await jsonOf(...objects)).toMatchObject([{ outcome: 'ReferencedBindingMismatch', reason, moves: 0 }]);
    expect((await planOf(objects)).out).toContain(reason);
  });

  it('is selected by --rebalancer among several', async () => {
    const two = [rebalancer('a', reference('web')), rebalancer('b', reference('idle'))];
    const all = await jsonOf(...recovered, web, idle, ...two);
    expect(all.map(({ name }) => name)).toEqual(['idle-deployment', 'web-deployment']);
    const { out } = await planOf([...recovered, web, idle, ...two], '--rebalancer', 'b', '-o', 'json');
    expect((JSON.parse(out) as Planned).bindings.map(({ name }) => name)).toEqual(['idle-deployment']);
  });
});

describe('the work of a plan', () => {
  it('is the same for each of 250 bindings on 100 clusters as for each of 50', async () => {
    const clusters = Array.from({ length: 100 }, (_, i) => cluster(`m${String(i).padStart(3, '0')}`, { pods: 1000 }));
    const planned = async (count: number) => {
      const bindings = Array.from({ length: count }, (_, i) => binding(`w${i}`, { replicas: 200, now: { m000: 200 } }));
      expect(await jsonOf(...clusters, ...bindings)).toHaveLength(count);
    };
    const few = await workOf(() => planned(50));
    expect(await workOf(() => planned(250))).toBeLessThan(6 * few);
  });
});
