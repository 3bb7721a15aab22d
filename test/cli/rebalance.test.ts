/** `evenkeel rebalance` on a hub over HTTP, with its scheduler and its members. */
import { readFileSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { user } from '../fakes/practice-fleet.ts';
import { evenkeel, type Ran } from './plan-scene.ts';
import { type RebalanceScene, startRebalanceScene } from './rebalance-scene.ts';

let scene: RebalanceScene;
const rebalance = (...args: readonly string[]): Promise<Ran> =>
  evenkeel('rebalance', '--kubeconfig', scene.kubeconfig, ...args);
const asked = () =>
  scene.rebalancers().map(({ spec }) => (spec?.workloads as { name: string }[]).map(({ name }) => name));

const before = { member2: 3, member3: 3 };
const after = { member1: 2, member2: 2, member3: 2 };

beforeEach(async () => {
  scene = await startRebalanceScene(['web', 'api']);
});
afterEach(() => scene.close());

describe('evenkeel rebalance', () => {
  it('creates the standard object, as kubectl would', async () => {
    const { code, out } = await rebalance('deployment/web', '-n', 'shop', '--ttl', '5m', '--name', 'mine');
    expect([code, out]).toEqual([0, 'workloadrebalancer.apps.karmada.io/mine created for 1 workload\n']);
    expect(scene.rebalancers().map(({ apiVersion, spec }) => [apiVersion, spec])).toEqual([
      [
        'apps.karmada.io/v1alpha1',
        {
          workloads: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', namespace: 'shop' }],
          ttlSecondsAfterFinished: 300,
        },
      ],
    ]);
  });

  it('asks for available replicas to be preserved by an annotation, which Karmada 1.18 keeps', async () => {
    expect((await rebalance('deployment/web', '-n', 'shop', '--preserve-available-replicas')).code).toBe(0);
    expect(scene.rebalancers().map(({ metadata }) => metadata.annotations)).toEqual([
      { 'evenkeel.dev/preserve-available-replicas': 'true' },
    ]);
  });

  it('selects workloads by their labels, and generates the name of the object', async () => {
    const { out } = await rebalance('-l', 'app=api', '-n', 'shop', '-o', 'name');
    expect(out).toMatch(/^workloadrebalancer\.apps\.karmada\.io\/rebalance-[b-z2-9]{5}\n$/);
    expect(asked()).toEqual([['api']]);
  });

  it('selects workloads by their labels in the given namespace, or in all', async () => {
    const labels = { app: 'web' };
    const elsewhere = {
      apiVersion: 'apps/v1',
      kind: 'StatefulSet',
      metadata: { name: 'db', namespace: 'other', labels },
    };
    scene.hub.store.create('namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'other' } }, user);
    scene.hub.store.create('statefulsets', { ...elsewhere, spec: {} }, user);
    expect((await rebalance('-l', 'app=web', '-n', 'shop', '--name', 'a')).errors).toEqual([]);
    expect((await rebalance('-l', 'app=web', '-A', '--name', 'b')).errors).toEqual([
      'left out 1 that no PropagationPolicy takes (the first: StatefulSet other/db)',
    ]);
  });

  it('selects all workloads that have replicas on a cluster', async () => {
    const { code, errors } = await rebalance('--all-on', 'member1');
    expect([code, errors]).toEqual([
      2,
      ['--all-on member1: no workload has replicas there; nothing is to be rebalanced'],
    ]);
    await rebalance('--all-on', 'member2');
    expect(asked()).toEqual([['api', 'web']]);
  });

  it('leaves out workloads with the labels but without a binding, and names them', async () => {
    const labels = { app: 'web' };
    const lonely = { apiVersion: 'apps/v1', kind: 'StatefulSet', metadata: { name: 'db', namespace: 'shop', labels } };
    scene.hub.store.create('statefulsets', { ...lonely, spec: {} }, user);
    const { code, errors } = await rebalance('-l', 'app=web', '-A');
    expect([code, errors, asked()]).toEqual([
      0,
      ['left out 1 that no PropagationPolicy takes (the first: StatefulSet shop/db)'],
      [['web']],
    ]);
    await rebalance('-l', 'app=web', '-A', '--kind', 'deployments');
    expect(asked()).toHaveLength(2);
  });

  it.each([
    [['deployment/web'], 'deployment/web has no binding in namespace default: no PropagationPolicy takes it, or it is'],
    [['deployment/shop/gone'], 'deployment/shop/gone has no binding in namespace shop'],
    [['deploy/web', '-n', 'nope'], 'namespace "nope" not found; kubectl get namespaces lists those of the hub'],
    [['-l', 'app=web', '-n', 'nope'], 'namespace "nope" not found; kubectl get namespaces lists'],
    [['--all-on', 'member2', '-n', 'nope'], 'namespace "nope" not found; kubectl get namespaces lists'],
    [[], 'name workloads (deployment/web), or give -l LABELS or --all-on CLUSTER: exactly one of the three'],
    [['deployment/web', '-l', 'app=web'], 'name workloads (deployment/web), or give -l'],
    [['--all-on', 'member9'], '--all-on member9: the hub has no cluster of that name; kubectl get clusters lists them'],
    [['-l', 'app=none', '-A'], '-l app=none takes no workload; change it, or use -A'],
    [
      ['-l', 'app=web', '-A', '--kind', 'pods'],
      '--kind pods: labels are known of deployments, statefulsets, jobs only',
    ],
    [['deployment/shop/web', '--kind', 'jobs'], '--kind jobs goes with -l; leave it out'],
    [['deployment/web', '-A'], '-A goes with -l or --all-on; a workload that is named is in one namespace (-n)'],
    [['deployment/shop/web', '--ttl', 'soon'], '--ttl "soon" is not a time'],
  ])('rejects %j with what to do instead, and creates nothing', async (args, message) => {
    const { code, out, errors } = await rebalance(...args);
    expect([code, out, scene.rebalancers()]).toEqual([2, '', []]);
    expect(errors.map((line) => line.startsWith(message))).toEqual([true]);
  });

  it('rejects the name of an existing object', async () => {
    await rebalance('deployment/shop/web', '--name', 'mine');
    const { code, errors } = await rebalance('deployment/shop/web', '--name', 'mine');
    expect([code, errors]).toEqual([2, ['there is a WorkloadRebalancer mine already; give another --name, or none']]);
  });
});

describe('evenkeel rebalance --dry-run', () => {
  it('shows the object and the moves, and creates nothing', async () => {
    const { code, out } = await rebalance('deployment/shop/web', '--name', 'mine', '--dry-run');
    expect([code, scene.rebalancers()]).toEqual([3, []]);
    expect(out).toContain('kind: WorkloadRebalancer\nmetadata:\n  name: mine\n');
    expect(out).toMatch(/^shop +web-deployment +2 +member1 0→2, member2 3→2, member3 3→2/m);
  });

  it('prints only the object into a pipe, in a form that kubectl accepts', async () => {
    const { out, errors } = await rebalance('deployment/shop/web', '--name', 'mine', '--dry-run', '-o', 'yaml');
    expect(parse(out)).toEqual({
      apiVersion: 'apps.karmada.io/v1alpha1',
      kind: 'WorkloadRebalancer',
      metadata: { name: 'mine' },
      spec: { workloads: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', namespace: 'shop' }] },
    });
    expect(errors).toEqual(['A rebalance would move 2 replicas in 1 of 1 binding.']);
  });

  it('exits with 0 if nothing would move', async () => {
    await rebalance('deployment/shop/web', '--wait');
    expect((await rebalance('deployment/shop/web', '--dry-run')).code).toBe(0);
  });
});

describe('evenkeel rebalance --wait', () => {
  it('ends when the scheduler has acted on every workload', async () => {
    const { code, out, errors } = await rebalance('-l', 'app in (web,api)', '-A', '--wait', '-o', 'name');
    expect([code, errors]).toEqual([0, []]);
    expect(out.trimEnd().split('\n').at(-1)).toBe('2 of 2 rescheduled');
    expect([scene.assigned('web'), scene.assigned('api')]).toEqual([after, after]);
  });

  it('prints the result as the only document with -o json', async () => {
    const { code, out } = await rebalance('deploy/web', '-n', 'shop', '--name', 'mine', '--wait', '-o', 'json');
    expect([code, JSON.parse(out)]).toEqual([
      0,
      {
        rebalancer: 'mine',
        deleted: false,
        counts: { waiting: 0, triggered: 0, rescheduled: 1, failed: 0 },
        workloads: [
          {
            kind: 'Deployment',
            namespace: 'shop',
            name: 'web',
            state: 'rescheduled',
            reason: expect.any(String) as string,
          },
        ],
      },
    ]);
  });

  it('prints why a workload was not rescheduled with -o yaml, and exits with 1', async () => {
    scene.fleet.pauseScheduler();
    const { code, out } = await rebalance('deploy/web', '-n', 'shop', '--wait', '--timeout', '1s', '-o', 'yaml');
    expect([code, parse(out)]).toMatchObject([1, { workloads: [{ name: 'web', state: 'triggered' }] }]);
  });

  it('does not count a trigger as an action of the scheduler', async () => {
    scene.fleet.pauseScheduler();
    const { code, out, errors } = await rebalance('deployment/shop/web', '--wait', '--timeout', '2s', '--name', 'mine');
    expect([code, scene.assigned('web')]).toEqual([1, before]);
    expect(out.split('\n').slice(1)).toEqual(['0 of 1 rescheduled, 1 triggered', '']);
    expect(errors).toEqual([
      'triggered: Deployment shop/web: scheduler default-scheduler has not acted on the trigger yet',
      'not done after 2 s; wait longer with --timeout, or check with: evenkeel get task mine',
    ]);
  });

  it('continues when the scheduler resumes', async () => {
    scene.fleet.pauseScheduler();
    scene.hub.store.onChange(({ plural }) => {
      if (plural === 'workloadrebalancers') setImmediate(() => scene.fleet.resumeScheduler());
    });
    const { code } = await rebalance('deployment/shop/web', '--wait');
    expect([code, scene.assigned('web')]).toEqual([0, after]);
  });

  it('lists the workloads that were never triggered, at its timeout', async () => {
    scene.works = false;
    const { code, errors } = await rebalance('deployment/shop/web', '--wait', '--timeout', '1s');
    expect([code, errors[0]]).toEqual([1, 'waiting: Deployment shop/web: not triggered yet']);
  });

  it('follows the bindings if the ttl deletes the object in the middle', async () => {
    const { store } = scene.hub;
    scene.fleet.pauseScheduler();
    store.onChange(({ type, plural, object }) => {
      if (type !== 'MODIFIED' || plural !== 'workloadrebalancers') return;
      setImmediate(() => {
        store.delete('workloadrebalancers', { namespace: '', name: object.metadata.name }, user);
        scene.fleet.resumeScheduler();
      });
    });
    const { code, errors } = await rebalance('deployment/shop/web', '--wait', '--ttl', '0');
    expect([code, scene.assigned('web')]).toEqual([0, after]);
    expect(errors).toEqual(['the object is already deleted, by its ttl or by a user']);
  });

  it('fails at once for a workload whose scheduling is suspended, and completes the others', async () => {
    const suspend = { type: 'merge', body: { spec: { suspension: { scheduling: true } } } } as const;
    scene.hub.store.patch('resourcebindings', { namespace: 'shop', name: 'api-deployment' }, suspend, user);
    const { code, errors } = await rebalance('--all-on', 'member2', '--wait');
    expect([code, scene.assigned('web'), scene.assigned('api')]).toEqual([1, after, before]);
    expect(errors).toEqual([
      'failed: Deployment shop/api: its scheduling is suspended (spec.suspension.scheduling of its binding)',
    ]);
  });
});

describe('the context of the kubeconfig', () => {
  it('sets the namespace of names without one, as for kubectl', async () => {
    const text = readFileSync(scene.kubeconfig, 'utf8').replace('namespace: default', 'namespace: shop');
    writeFileSync(scene.kubeconfig, text);
    expect((await rebalance('deploy', 'web', 'api')).code).toBe(0);
    expect(asked()).toEqual([['api', 'web']]);
  });
});
