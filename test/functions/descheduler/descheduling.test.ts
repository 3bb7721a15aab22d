/** The descheduler on a whole deployment in virtual time: its run, lease, chunks, guard rails and records. */
import { describe, expect, it } from 'vitest';
import { DeschedulingDue } from '../../../shared/bus/catalogue.ts';
import { Fault } from '../../../shared/core/fault.ts';
import { NOT_MOVABLE } from '../../../shared/descheduling/cluster-readings.ts';
import { DESCHEDULED_AT } from '../../../shared/descheduling/descheduling.ts';
import type { ClusterEstimator } from '../../../shared/estimator/estimator.ts';
import { DESCHEDULING, RESCHEDULING_POLICY } from '../../../shared/karmada/rescheduling-policy.ts';
import type { ObjectReference } from '../../../shared/kubernetes/object-reference.ts';
import { user } from '../../fakes/practice-fleet.ts';
import { type HubCall, passing } from '../../fakes/store-hub.ts';
import { World } from '../../fakes/world.ts';
import { type BindingOptions, bindingObject, clusterObject, dynamic, type Held, statusOf } from './scene.ts';

const actor = { username: 'karmada', manager: 'karmada' };
const OPTED_IN = { [RESCHEDULING_POLICY]: 'OnUnschedulable' };
const budget = { apiVersion: 'evenkeel.dev/v1alpha1', kind: 'MoveBudget', metadata: { name: 'hub' } };
const story: Held = { m1: [5, 2], m2: [3, 3], m3: [2, 2] };

class Scene {
  readonly world: World;
  /** What clusters answer, by "workload@cluster"; 0 unless set. An error is thrown. */
  readonly answers = new Map<string, number | Error>();
  readonly asked: string[] = [];
  /** Available replicas of one core; undefined if this estimator has no estimate. */
  readonly capacities = new Map<string, number>();

  constructor(free: Readonly<Record<string, number>>, settings: ConstructorParameters<typeof World>[0] = {}) {
    this.world = new World({ scheduler: false, ...settings });
    for (const [name, capacity] of Object.entries(free)) this.#cluster(name, capacity);
    const answer = (what: string): number => {
      const given = this.answers.get(what) ?? 0;
      if (given instanceof Error) throw given;
      return given;
    };
    const estimator: ClusterEstimator = {
      unschedulableReplicas: async (cluster: string, { name }: ObjectReference, seconds: number) => {
        this.asked.push(`${name}@${cluster} ${seconds}`);
        return answer(`${name}@${cluster}`);
      },
      maxAvailableReplicas: async (cluster: string) => this.capacities.get(cluster),
    };
    this.world.estimator = estimator;
  }

  #cluster(name: string, capacity: number): void {
    const { status, ...object } = clusterObject(name, capacity);
    this.world.store.create('clusters', object, actor);
    const patch = { type: 'merge', body: { status }, subresource: 'status' } as const;
    this.world.store.patch('clusters', { namespace: '', name }, patch, actor);
  }

  bind(held: Held, options: BindingOptions = {}): void {
    const { metadata, ...object } = bindingObject(held, { annotations: OPTED_IN, ...options });
    this.world.store.create('resourcebindings', { ...object, metadata }, actor);
    const patch = { type: 'merge', body: { status: statusOf(held) }, subresource: 'status' } as const;
    this.world.store.patch('resourcebindings', metadata, patch, actor);
  }

  /** What a scheduler and the members make of it. */
  place(held: Held): void {
    const clusters = Object.entries(held).map(([name, [replicas]]) => ({ name, replicas }));
    const key = { namespace: 'shop', name: 'web-deployment' };
    this.world.store.patch('resourcebindings', key, { type: 'merge', body: { spec: { clusters } } }, actor);
    const body = { status: statusOf(held) };
    this.world.store.patch('resourcebindings', key, { type: 'merge', body, subresource: 'status' }, actor);
  }

  namespace(name: string, position: string | undefined): void {
    const body = { metadata: { annotations: { [DESCHEDULING]: position ?? null } } };
    if (this.world.store.get('namespaces', { namespace: '', name }) === undefined)
      this.world.store.create('namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }, actor);
    this.world.store.patch('namespaces', { namespace: '', name }, { type: 'merge', body }, actor);
  }

  async sweep(): Promise<void> {
    await this.world.bus.publish([DeschedulingDue.of({ hub: 'karmada' })]);
    await this.world.pass(1);
  }

  clusters(name = 'web'): Record<string, number> {
    const object = this.world.store.get('resourcebindings', { namespace: 'shop', name: `${name}-deployment` });
    const clusters = object?.spec?.clusters as { name: string; replicas: number }[];
    return Object.fromEntries(clusters.map((cluster) => [cluster.name, cluster.replicas]));
  }

  patches(): number {
    return this.world.hub.calls.filter(({ verb, plural }) => verb === 'patch' && plural === 'resourcebindings').length;
  }

  decisions() {
    return this.world.descheduling.decisions('karmada', 100);
  }
}

describe('a sweep', () => {
  it('evicts as in story 1 of the proposal, in one write, and records why', async () => {
    const scene = new Scene({ m1: 0, m2: 5, m3: 0 });
    scene.bind(story);
    scene.answers.set('web@m1', 3);
    await scene.sweep();
    expect(scene.clusters()).toEqual({ m1: 2, m2: 3, m3: 2 });
    expect(scene.asked).toEqual(['web@m1 300']);
    expect(scene.patches()).toBe(1);
    const [decision] = await scene.decisions();
    expect(decision).toMatchObject({
      hub: 'karmada',
      binding: { namespace: 'shop', name: 'web-deployment' },
      taken: 3,
      outcome: 'Written',
      reason: '3 of 3 unschedulable replicas are taken out',
    });
    expect(await scene.world.descheduling.readRun('karmada')).toMatchObject({
      state: 'Finished',
      seen: 1,
      candidates: 1,
      moved: 3,
      assumed: { m2: { pods: 3, cpu: 3000 } },
    });
  });

  it('takes out no more replicas than a budget of the hub allows, of all bindings together', async () => {
    const scene = new Scene({ m1: 0, m2: 50, m3: 50 }, { budgets: true });
    const limits = [{ per: 'Hub', replicas: '4', window: '1h' }];
    scene.world.store.create('movebudgets', { ...budget, spec: { limits } }, user);
    for (const name of ['web', 'api']) {
      scene.bind(story, { name });
      scene.answers.set(`${name}@m1`, 3);
    }
    await scene.sweep();
    const decisions = await scene.decisions();
    expect(decisions.map(({ taken, reason }) => [taken, reason]).toSorted()).toEqual([
      [1, '1 of 3 unschedulable replicas are taken out; a limit holds back 2'],
      [3, '3 of 3 unschedulable replicas are taken out'],
    ]);
    expect((await scene.world.ledger.read('karmada'))?.moves.map(({ reason, leaves }) => [reason, leaves])).toEqual([
      ['Descheduling', { m1: 3 }],
      ['Descheduling', { m1: 1 }],
    ]);
  });

  it.each<[string, BindingOptions, boolean]>([
    ['the field is OnUnschedulable', withPolicy('OnUnschedulable'), true],
    ['the field is OnUnscheduable, as the proposal spells it', withPolicy('OnUnscheduable'), true],
    ['the field is Never', withPolicy('Never'), false],
    ['no field or annotation is set', { annotations: {} }, false],
    [
      'the annotation is Never, though the field is not',
      { ...withPolicy('OnUnschedulable'), annotations: { [RESCHEDULING_POLICY]: 'Never' } },
      false,
    ],
    ['the annotation has an unknown value', { annotations: { [RESCHEDULING_POLICY]: 'onUnschedulable' } }, false],
    ['its policy is annotated', { annotations: ofPolicy('propagationpolicy', 'wanted') }, true],
    ['its cluster policy is annotated', { annotations: ofPolicy('clusterpropagationpolicy', 'wanted') }, true],
    ['its policy has no annotation', { annotations: ofPolicy('propagationpolicy', 'silent') }, false],
  ])('if %s: evicts is %s', async (_, options, acted) => {
    const scene = new Scene({ m1: 0, m2: 5, m3: 0 });
    for (const [plural, kind] of [
      ['propagationpolicies', 'PropagationPolicy'],
      ['clusterpropagationpolicies', 'ClusterPropagationPolicy'],
    ] as const) {
      for (const name of ['wanted', 'silent']) {
        const namespace = kind === 'PropagationPolicy' ? 'shop' : undefined;
        const annotations = name === 'wanted' ? OPTED_IN : {};
        const spec = { resourceSelectors: [{ apiVersion: 'apps/v1', kind: 'Deployment' }], placement: {} };
        const object = {
          apiVersion: 'policy.karmada.io/v1alpha1',
          kind,
          metadata: { name, namespace, annotations },
          spec,
        };
        scene.world.store.create(plural, object, actor);
      }
    }
    scene.bind(story, options);
    scene.answers.set('web@m1', 3);
    await scene.sweep();
    expect(scene.clusters().m1).toBe(acted ? 2 : 5);
  });

  it.each<[string, Held, BindingOptions]>([
    [
      'is duplicated',
      story,
      { placement: { replicaScheduling: { replicaSchedulingType: 'Duplicated' } }, replicas: 5 },
    ],
    [
      'is divided by static weights',
      story,
      { placement: { replicaScheduling: { replicaSchedulingType: 'Divided', replicaDivisionPreference: 'Weighted' } } },
    ],
    [
      'is no Deployment, StatefulSet or Job',
      story,
      { spec: { resource: { apiVersion: 'apps/v1', kind: 'ReplicaSet', namespace: 'shop', name: 'web' } } },
    ],
    ['has all it was given ready', { m1: [5, 5] }, {}],
    ['is suspended', story, { spec: { suspension: { scheduling: true } } }],
    ['waits for the scheduler to place a scale-up', story, { replicas: 12 }],
  ])('asks no estimator about a binding that %s', async (_, held, options) => {
    const scene = new Scene({ m1: 0, m2: 5, m3: 0 });
    scene.bind(held, options);
    scene.answers.set('web@m1', 3);
    await scene.sweep();
    expect(scene.asked).toEqual([]);
    expect(scene.patches()).toBe(0);
  });

  it('notifies only our own scheduler, which places the evicted replicas', async () => {
    const scene = new Scene({ m1: 0, m2: 5, m3: 0 });
    scene.bind(story, { spec: { schedulerName: 'evenkeel' } });
    scene.answers.set('web@m1', 3);
    await scene.sweep();
    expect(scene.clusters()).toEqual({ m1: 2, m2: 6, m3: 2 });
    expect(scene.world.reasons).toContain('what is assigned is not what it asks for: m1: 2, m2: 6, m3: 2');
  });

  it('goes on with the other clusters where one does not answer', async () => {
    const scene = new Scene({ m1: 0, m2: 0, m3: 9 });
    scene.bind({ m1: [5, 2], m2: [4, 2] });
    scene.answers.set('web@m1', passing('EstimatorTimeout'));
    scene.answers.set('web@m2', 2);
    await scene.sweep();
    expect(scene.clusters()).toEqual({ m1: 5, m2: 2 });
    const [decision] = await scene.decisions();
    expect(decision?.clusters[0]).toEqual({
      name: 'm1',
      assigned: 5,
      ready: 2,
      unusable: 'EstimatorTimeout',
      taken: 0,
    });
  });

  it('cuts a chunk down to the bindings that could not be read, and asks about no other a second time', async () => {
    const scene = new Scene({ m1: 0, m2: 9 });
    for (const name of ['api', 'web', 'worker']) scene.bind({ m1: [5, 2] }, { name });
    let isAway = true;
    scene.world.hub.interference.before = ({ verb, name }) => {
      if (isAway && verb === 'get' && name === 'web-deployment') throw passing();
    };
    await scene.sweep();
    expect(scene.asked).toEqual(['api@m1 300', 'worker@m1 300']);
    const run = await scene.world.descheduling.readRun('karmada');
    expect(run).toMatchObject({ state: 'Working', pendingChunks: [0] });
    const chunk = await scene.world.descheduling.readChunk({ hub: 'karmada', run: run?.run ?? '' }, 0);
    expect(chunk?.bindings).toEqual([{ namespace: 'shop', name: 'web-deployment' }]);
    isAway = false;
    await scene.world.pass(60);
    expect(scene.asked).toEqual(['api@m1 300', 'worker@m1 300', 'web@m1 300']);
    expect(await scene.world.descheduling.readRun('karmada')).toMatchObject({ state: 'Finished' });
    expect(scene.world.deadLetters).toEqual([]);
  });

  it('counts for its alarm and its graphs what was taken, what was kept, and who was silent', async () => {
    const scene = new Scene({ m1: 0, m2: 0, m3: 1 });
    scene.bind({ m1: [5, 2], m2: [4, 2] });
    scene.answers.set('web@m1', passing('EstimatorTimeout'));
    scene.answers.set('web@m2', 2);
    await scene.sweep();
    expect(Object.fromEntries(scene.world.telemetry.counts)).toEqual({
      EstimatorsSilent: 1,
      ReplicasDescheduled: 1,
      ReplicasWithheld: 1,
    });
  });

  it('assumes the capacity of a cluster once, however many bindings need it', async () => {
    const scene = new Scene({ m1: 0, m2: 4 });
    for (let i = 0; i < 120; i++) {
      scene.bind({ m1: [3, 2] }, { name: `w${i}` });
      scene.answers.set(`w${i}@m1`, 1);
    }
    await scene.sweep();
    expect((await scene.world.descheduling.readRun('karmada'))?.moved).toBe(4);
    expect(scene.patches()).toBe(4);
  });

  it('trusts the estimator if it reports less capacity than the cluster status', async () => {
    const scene = new Scene({ m1: 0, m2: 9 });
    scene.capacities.set('m2', 1);
    scene.bind({ m1: [5, 2] });
    scene.answers.set('web@m1', 3);
    await scene.sweep();
    expect(scene.clusters()).toEqual({ m1: 4 });
  });

  it('takes no more in a run than deschedulingRunReplicas, and of one workload than deschedulingWorkloadReplicas', async () => {
    const settings = { deschedulingRunReplicas: 5, deschedulingWorkloadReplicas: 2 };
    const scene = new Scene({ m1: 0, m2: 90 }, { settings });
    for (const name of ['a', 'b', 'c']) {
      scene.bind({ m1: [6, 2] }, { name });
      scene.answers.set(`${name}@m1`, 4);
    }
    await scene.sweep();
    expect(['a', 'b', 'c'].map((name) => scene.clusters(name).m1).sort()).toEqual([4, 4, 5]);
  });

  it("evicts replicas that fit no other cluster only in Karmada's own mode", async () => {
    const plain = new Scene({ m1: 0, m2: 0 });
    plain.bind({ m1: [5, 2] });
    plain.answers.set('web@m1', 3);
    await plain.sweep();
    expect(plain.clusters()).toEqual({ m1: 5 });
    const [withheld] = await plain.decisions();
    expect(withheld).toMatchObject({ outcome: 'Withheld', taken: 0 });
    const beyond = new Scene({ m1: 0, m2: 0 }, { settings: { deschedulingBeyondCapacity: 1 } });
    beyond.bind({ m1: [5, 2] });
    beyond.answers.set('web@m1', 3);
    await beyond.sweep();
    expect(beyond.clusters()).toEqual({ m1: 2 });
  });

  it('leaves replicas with an affinity of workloads to karmada-scheduler, and names the field', async () => {
    const scene = new Scene({ m1: 0, m2: 100 });
    scene.bind({ m1: [5, 2] }, { placement: { ...dynamic, workloadAffinity: {} } });
    scene.answers.set('web@m1', 3);
    await scene.sweep();
    expect(scene.clusters()).toEqual({ m1: 2 });
    const [decision] = await scene.decisions();
    expect(decision).toMatchObject({ outcome: 'Written', taken: 3 });
    expect(decision?.reason).toContain('no forecast of where 3 would go: spec.placement.workloadAffinity: Forbidden');
  });

  it.each([[], ['DryRun']])(
    'records CannotForecast, not missing capacity, if such replicas stay (switch: %s)',
    async (...positions) => {
      const scene = new Scene({ m1: 0, m2: 100 }, { settings: { deschedulingWithoutForecast: 0 } });
      for (const position of positions) scene.namespace('shop', position);
      scene.bind({ m1: [5, 2] }, { placement: { ...dynamic, workloadAffinity: {} } });
      scene.answers.set('web@m1', 3);
      await scene.sweep();
      expect(scene.clusters()).toEqual({ m1: 5 });
      const [decision] = await scene.decisions();
      expect(decision).toMatchObject({ outcome: 'CannotForecast', taken: 0 });
      expect(decision?.reason).toContain('spec.placement.workloadAffinity: Forbidden');
    },
  );

  it('records what it withholds once a cool-down, not with every sweep', async () => {
    const scene = new Scene({ m1: 0, m2: 0 });
    scene.bind({ m1: [5, 2] });
    scene.answers.set('web@m1', 3);
    for (let i = 0; i < 3; i++) {
      await scene.sweep();
      await scene.world.pass(119);
    }
    expect(await scene.decisions()).toHaveLength(1);
    await scene.sweep();
    expect(await scene.decisions()).toHaveLength(2);
  });

  it('skips a binding for a while after a rebalance, and annotates it with the time of an eviction', async () => {
    // It is 10:00, and the rebalance was at 8:59.
    const scene = new Scene({ m1: 0, m2: 90 }, { settings: { deschedulingCooldownSeconds: 3700 } });
    scene.bind(story, { spec: { rescheduleTriggeredAt: '2026-11-21T08:59:00Z' } });
    scene.answers.set('web@m1', 3);
    await scene.sweep();
    expect(scene.asked).toEqual([]);
    await scene.world.pass(60);
    await scene.sweep();
    expect(scene.clusters()).toEqual({ m1: 2, m2: 3, m3: 2 });
    const binding = scene.world.store.get('resourcebindings', { namespace: 'shop', name: 'web-deployment' });
    expect(binding?.metadata.annotations?.[DESCHEDULED_AT]).toBe('2026-11-21T10:01:01Z');
  });

  it('leaves a binding alone for a while after it took replicas out of it', async () => {
    const scene = new Scene({ m1: 0, m2: 90 });
    scene.bind({ m1: [5, 2], m2: [2, 2] });
    scene.answers.set('web@m1', 1);
    await scene.sweep();
    expect(scene.clusters()).toEqual({ m1: 4, m2: 2 });
    // What a scheduler makes of it.
    scene.place({ m1: [4, 2], m2: [3, 3] });
    await scene.world.pass(200);
    await scene.sweep();
    expect(scene.clusters()).toEqual({ m1: 4, m2: 3 });
    await scene.world.pass(100);
    await scene.sweep();
    expect(scene.clusters()).toEqual({ m1: 3, m2: 3 });
  });

  it('records why replicas that cannot move are kept, once in a cooldown, and has no alarm for the estimator', async () => {
    const scene = new Scene({ m1: 0, m2: 5, m3: 0 });
    scene.bind(story);
    const why = 'StatefulSet shop/web keeps its replicas: its volume claims stay in their cluster';
    scene.answers.set('web@m1', new Fault('terminal', why, { reason: NOT_MOVABLE }));
    await scene.sweep();
    expect(await scene.decisions()).toMatchObject([{ outcome: 'Withheld', taken: 0, reason: why }]);
    expect(scene.patches()).toBe(0);
    expect(scene.world.telemetry.counts.has('EstimatorsSilent')).toBe(false);
    await scene.sweep();
    expect(await scene.decisions()).toHaveLength(1);
  });

  it.each([
    ['the namespace', 'shop'],
    ['the hub', 'karmada-system'],
  ])('is stopped by %s being Paused, and goes on when it no longer is', async (_, name) => {
    const scene = new Scene({ m1: 0, m2: 5, m3: 0 });
    scene.bind(story);
    scene.answers.set('web@m1', 3);
    scene.namespace(name, 'Paused');
    await scene.sweep();
    expect([scene.clusters().m1, scene.asked]).toEqual([5, []]);
    scene.namespace(name, undefined);
    await scene.sweep();
    expect(scene.clusters().m1).toBe(2);
  });

  it('treats an unknown value of the switch as a stop', async () => {
    const scene = new Scene({ m1: 0, m2: 5, m3: 0 });
    scene.bind(story);
    scene.answers.set('web@m1', 3);
    scene.namespace('shop', 'pause');
    await scene.sweep();
    expect(scene.clusters().m1).toBe(5);
  });

  it.each(['shop', 'karmada-system'])('only records what it would do where %s is DryRun', async (name) => {
    const scene = new Scene({ m1: 0, m2: 5, m3: 0 });
    scene.bind(story);
    scene.answers.set('web@m1', 3);
    scene.namespace(name, 'DryRun');
    await scene.sweep();
    expect(scene.patches()).toBe(0);
    expect(await scene.decisions()).toMatchObject([
      { outcome: 'DryRun', taken: 3, next: [{ name: 'm1', replicas: 2 }, {}, {}] },
    ]);
  });

  it('ends at once on a hub without an estimator', async () => {
    const scene = new Scene({ m1: 0, m2: 5, m3: 0 });
    scene.bind(story);
    scene.world.estimator = undefined;
    await scene.sweep();
    expect(scene.world.hub.calls).toEqual([]);
    expect(scene.world.reasons).toContain('the hub has no estimator');
  });
});

describe('a run', () => {
  it('is the only one of its hub: a schedule in its middle starts no other, and publishes the open chunk again', async () => {
    const scene = new Scene({ m1: 0, m2: 5, m3: 0 });
    scene.bind(story);
    scene.answers.set('web@m1', 3);
    await Promise.all([scene.sweep(), scene.sweep()]);
    expect(scene.patches()).toBe(1);
    expect(await scene.decisions()).toHaveLength(1);
    expect(scene.world.reasons.filter((reason) => reason.includes('is under way'))).toHaveLength(1);
  });

  it('writes each binding once, though every event is delivered twice', async () => {
    const scene = new Scene({ m1: 0, m2: 90 });
    const publish = scene.world.bus.publish.bind(scene.world.bus);
    scene.world.bus.publish = (events) => publish([...events, ...events]);
    for (let i = 0; i < 120; i++) {
      scene.bind({ m1: [3, 2] }, { name: `w${i}` });
      scene.answers.set(`w${i}@m1`, 1);
    }
    await scene.sweep();
    await scene.world.pass(30);
    expect(scene.patches()).toBe(90);
    expect(await scene.world.descheduling.readRun('karmada')).toMatchObject({ state: 'Finished', moved: 90 });
    expect(scene.world.deadLetters).toEqual([]);
  });

  it('does not overwrite a change made since the binding was read', async () => {
    const scene = new Scene({ m1: 0, m2: 5, m3: 0 });
    scene.bind(story);
    scene.answers.set('web@m1', 3);
    let once = true;
    scene.world.hub.interference.before = ({ verb }) => {
      if (verb !== 'patch' || !once) return;
      once = false;
      const body = { spec: { replicas: 11 } };
      const key = { namespace: 'shop', name: 'web-deployment' };
      scene.world.store.patch('resourcebindings', key, { type: 'merge', body }, actor);
    };
    await scene.sweep();
    expect(scene.clusters()).toEqual({ m1: 5, m2: 3, m3: 2 });
    expect(await scene.decisions()).toMatchObject([{ outcome: 'Superseded' }]);
  });

  it('brings a write whose answer was lost to its end, without taking out more', async () => {
    const scene = new Scene({ m1: 0, m2: 5, m3: 0 });
    scene.bind(story);
    scene.answers.set('web@m1', 3);
    scene.world.hub.interference.after = onceAt('patch');
    await scene.sweep();
    expect(scene.clusters()).toEqual({ m1: 2, m2: 3, m3: 2 });
    expect(await scene.decisions()).toMatchObject([{ outcome: 'Written', taken: 3 }]);
    expect(scene.patches()).toBe(1);
  });

  it('repeats a write that did not reach an unavailable hub, when the chunk is redelivered', async () => {
    const scene = new Scene({ m1: 0, m2: 5, m3: 0 });
    scene.bind(story);
    scene.answers.set('web@m1', 3);
    const [patch, get] = [onceAt('patch'), onceAt('get', 1)];
    scene.world.hub.interference.before = (call) => {
      patch(call);
      get(call);
    };
    await scene.sweep();
    expect(scene.clusters().m1).toBe(2);
    expect(scene.patches()).toBe(2);
    expect(await scene.decisions()).toMatchObject([{ outcome: 'Written', taken: 3 }]);
    expect((await scene.world.descheduling.readRun('karmada'))?.state).toBe('Finished');
  });

  it('finds a write whose answer and whose check were lost by the planned decision, and settles it as Written', async () => {
    const scene = new Scene({ m1: 0, m2: 5, m3: 0 });
    scene.bind(story, { spec: { schedulerName: 'evenkeel' } });
    scene.answers.set('web@m1', 3);
    // Our scheduler observes the new binding first.
    await scene.world.pass(5);
    const lost = loseWriteAndCheck(scene, 'after');
    await scene.sweep();
    await scene.world.pass(5);
    expect(lost()).toBe(true);
    // The delivery that confirms the write notifies the scheduler.
    expect(scene.clusters()).toEqual({ m1: 2, m2: 6, m3: 2 });
    expect(await scene.decisions()).toMatchObject([{ outcome: 'Written', taken: 3 }]);
    expect(scene.world.telemetry.counts.get('ReplicasDescheduled')).toBe(3);
    expect(scene.asked).toEqual(['web@m1 300']);
  });

  it('settles a planned decision as Superseded, without a write, where another client wrote the binding since', async () => {
    const scene = new Scene({ m1: 0, m2: 5, m3: 0 });
    scene.bind(story);
    scene.answers.set('web@m1', 3);
    const lost = loseWriteAndCheck(scene, 'before', () => {
      const body = { spec: { replicas: 11 } };
      const key = { namespace: 'shop', name: 'web-deployment' };
      scene.world.store.patch('resourcebindings', key, { type: 'merge', body }, actor);
    });
    await scene.sweep();
    await scene.world.pass(5);
    expect(lost()).toBe(true);
    expect(scene.clusters()).toEqual({ m1: 5, m2: 3, m3: 2 });
    expect(await scene.decisions()).toMatchObject([{ outcome: 'Superseded' }]);
    // The first delivery tried its one write.
    expect(scene.patches()).toBe(1);
  });

  it('withholds what the hub rejects, reports it, and continues', async () => {
    const scene = new Scene({ m1: 0, m2: 5, m3: 0 });
    scene.bind(story);
    scene.answers.set('web@m1', 3);
    scene.world.hub.interference.before = onceAt('patch');
    await scene.sweep();
    expect(scene.clusters().m1).toBe(5);
    expect(await scene.decisions()).toMatchObject([
      { outcome: 'Withheld', reason: 'the write failed: the hub: HubUnreachable' },
    ]);
    await scene.sweep();
    expect(scene.clusters().m1).toBe(2);
  });

  it('of which a sweep died is taken over when its lease has run out', async () => {
    const scene = new Scene({ m1: 0, m2: 5, m3: 0 });
    scene.bind(story);
    scene.answers.set('web@m1', 3);
    const { descheduling } = scene.world;
    const endSweep = descheduling.endSweep.bind(descheduling);
    let once = true;
    descheduling.endSweep = async (...given) => {
      if (!once) return endSweep(...given);
      once = false;
      throw passing('Killed');
    };
    await scene.sweep();
    expect(scene.clusters().m1).toBe(5);
    await scene.world.pass(150);
    await scene.sweep();
    expect(scene.clusters().m1).toBe(2);
  });

  it('scans bindings in pages, with a few requests per page', async () => {
    const scene = new Scene({ m1: 0, m2: 5 });
    for (let i = 0; i < 2000; i++)
      scene.bind({ m1: [3, 3] }, { name: `w${i}`, annotations: i % 2 === 0 ? OPTED_IN : {} });
    scene.bind({ m1: [3, 2] }, { name: 'one' });
    scene.answers.set('one@m1', 1);
    await scene.sweep();
    await scene.world.pass(5);
    expect(await scene.world.descheduling.readRun('karmada')).toMatchObject({ seen: 2001, candidates: 1, moved: 1 });
    expect(scene.world.hub.calls.length).toBeLessThan(12);
  });
});

/** Fails the first call of this verb, after letting some pass. */
function onceAt(wanted: HubCall['verb'], passes = 0): (call: HubCall) => void {
  let left = passes;
  let done = false;
  return ({ verb }) => {
    if (verb !== wanted || done || left-- > 0) return;
    done = true;
    throw passing();
  };
}

/** Fails the first patch, before or after the hub carries it out, and the read that checks its outcome. Returns whether both failed. */
function loseWriteAndCheck(scene: Scene, when: 'before' | 'after', meanwhile?: () => void): () => boolean {
  let failed = 0;
  const failPatch = ({ verb }: HubCall) => {
    if (verb !== 'patch' || failed > 0) return;
    failed = 1;
    throw passing();
  };
  const failGet = ({ verb }: HubCall) => {
    if (verb !== 'get' || failed !== 1) return;
    failed = 2;
    meanwhile?.();
    throw passing();
  };
  const { interference } = scene.world.hub;
  interference.before = (call) => {
    if (when === 'before') failPatch(call);
    failGet(call);
  };
  if (when === 'after') interference.after = failPatch;
  return () => failed === 2;
}

function withPolicy(reschedulingPolicy: string): BindingOptions {
  return { annotations: {}, placement: { replicaScheduling: { ...dynamic.replicaScheduling, reschedulingPolicy } } };
}

function ofPolicy(kind: string, name: string): Record<string, string> {
  const namespace = kind === 'propagationpolicy' ? { 'propagationpolicy.karmada.io/namespace': 'shop' } : {};
  return { [`${kind}.karmada.io/name`]: name, ...namespace };
}
