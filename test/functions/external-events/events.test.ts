/** Events of AWS and of users, from the bus to moved replicas, in a whole deployment on virtual time. */
import { describe, expect, it } from 'vitest';
import type { MemberOptions } from '../../../local/practice-hub/controllers/member-cluster.ts';
import { SECOND, toTimestamp } from '../../../shared/core/time.ts';
import {
  AUTO_SCALING_GROUPS,
  CAPACITY_RESERVATIONS,
  EKS_CLUSTER,
  ZONES,
} from '../../../shared/external-events/aws-cluster.ts';
import {
  ACCOUNT,
  INSTANCE,
  REGION,
  type SampleOptions,
  type SampleType,
  samples,
  sampleTypes,
} from '../../external-events/samples.ts';
import { user } from '../../fakes/practice-fleet.ts';
import { MemoryExternalEventStore } from '../../fakes/stores/memory-external-event-store.ts';
import { MemoryPolicyStore } from '../../fakes/stores/memory-policy-store.ts';
import { PolicyWorld } from '../rebalance-policy/scene.ts';

const members: readonly MemberOptions[] = ['member1', 'member2', 'member3'].map((name) => ({
  name,
  capacity: 60,
  readyDelayMs: 5000,
}));

/** A fleet whose member1 is EKS cluster "prod" with four nodes in two zones, and a workload with four replicas there. */
class EventWorld extends PolicyWorld {
  constructor() {
    super(members, { reductions: true });
  }

  async begin(trigger: object): Promise<void> {
    const annotations = {
      [EKS_CLUSTER]: `arn:aws:eks:${REGION}:${ACCOUNT}:cluster/prod`,
      [ZONES]: 'euc1-az2,euc1-az3',
      [AUTO_SCALING_GROUPS]: 'eks-workers-0ac1',
      [CAPACITY_RESERVATIONS]: 'cr-1234567890abcdefg',
    };
    this.annotate('clusters', 'member1', annotations);
    const status = { nodeSummary: { totalNum: 4, readyNum: 4 } };
    const key = { namespace: '', name: 'member1' };
    this.store.patch('clusters', key, { type: 'merge', body: { status }, subresource: 'status' }, user);
    this.instanceClusters.set(INSTANCE, 'prod');
    this.run('web', 12);
    await this.pass(30);
    expect(this.assigned('web')).toEqual({ member1: 4, member2: 4, member3: 4 });
    this.policy('aws', { triggers: { externalEvents: [trigger] }, strategy: { coolDown: '0s' } });
    await this.pass(30);
  }

  send(type: SampleType, options: SampleOptions = {}, phase: 'begin' | 'end' = 'begin'): void {
    const { begin, end = begin } = samples[type] as { begin: typeof samples.ZonalShift.begin; end?: never };
    const time = toTimestamp(this.clock.now());
    this.bus.receive((phase === 'end' ? (end as typeof begin) : begin)({ time, ...options }));
  }

  get drains(): readonly string[] {
    return this.store
      .list('clusterdrains')
      .map(({ spec }) => spec as { cluster: string; percent?: number; until: string })
      .map(({ cluster, percent = 100, until }) => `${cluster} ${percent} % until ${until}`);
  }

  get onMember1(): number {
    return this.assigned('web').member1 ?? 0;
  }

  get ready(): number {
    const shares = this.fleet.distribution({ namespace: 'shop', name: 'web-deployment' });
    return [...shares.values()].reduce((sum, { ready }) => sum + ready, 0);
  }

  /** Of member1. */
  get taints(): readonly string[] {
    const taints = this.store.get('clusters', { namespace: '', name: 'member1' })?.spec?.taints ?? [];
    return (taints as readonly { readonly key: string }[]).map(({ key }) => key);
  }

  in(seconds: number): string {
    return toTimestamp(this.clock.now() + seconds * SECOND);
  }
}

/** What concerns another cluster than member1. */
const elsewhere: Readonly<Record<string, SampleOptions>> = {
  'another account': { account: '444455556666' },
  'another region': { region: 'us-east-1' },
  'an unknown cluster': {
    ...{ instance: 'i-00000000000000000', cluster: 'other', zone: 'euc1-az1' },
    ...{ group: 'other', reservation: 'cr-0' },
  },
};

describe.each(sampleTypes)('an event of type %s', (type) => {
  const { percent } = samples[type];

  it('moves the share of the cluster that it concerns, and never is one replica less ready', async () => {
    const world = new EventWorld();
    await world.begin({ types: [type], limit: '1h' });
    world.send(type);
    let least = 12;
    for (let passed = 0; passed < 110; passed += 1) {
      await world.pass(1);
      least = Math.min(least, world.ready);
    }
    expect([world.onMember1, least]).toEqual([4 - (4 * percent) / 100, 12]);
  });

  it.each(Object.keys(elsewhere))('of %s moves nothing', async (what) => {
    const world = new EventWorld();
    await world.begin({ types: [type], limit: '1h' });
    world.send(type, elsewhere[what]);
    await world.pass(300);
    expect([world.drains, world.onMember1]).toEqual([[], 4]);
  });

  it('that arrives twice counts once', async () => {
    const world = new EventWorld();
    await world.begin({ types: [type], limit: '1h' });
    world.send(type);
    world.send(type);
    await world.pass(120);
    world.send(type);
    await world.pass(300);
    expect([world.drains.length, world.onMember1]).toEqual([1, 4 - (4 * percent) / 100]);
  });

  it('whose end never comes is over after the limit', async () => {
    const world = new EventWorld();
    await world.begin({ types: [type], limit: '20m' });
    world.send(type);
    await world.pass(300);
    expect(world.drains).toHaveLength(1);
    await world.passResyncing(50);
    expect(world.drains).toEqual([]);
    world.run('late', 6);
    await world.pass(60);
    expect(world.assigned('late').member1).toBeGreaterThan(0);
  });
});

describe.each(sampleTypes.filter((type) => 'end' in samples[type]))('an event of type %s', (type) => {
  it('is over with its end, also if the end arrives first', async () => {
    const world = new EventWorld();
    await world.begin({ types: [type], limit: '1h' });
    world.send(type);
    await world.pass(120);
    expect(world.drains).toHaveLength(1);
    world.send(type, {}, 'end');
    await world.pass(120);
    expect(world.drains).toEqual([]);

    const reordered = new EventWorld();
    await reordered.begin({ types: [type], limit: '1h' });
    const time = reordered.in(-5);
    reordered.send(type, {}, 'end');
    await reordered.pass(5);
    reordered.send(type, { time });
    await reordered.pass(120);
    // Most launches follow no failure, so that their ends are not stored.
    expect(reordered.drains).toHaveLength(type === 'LaunchFailure' ? 1 : 0);
  });
});

describe.each(['HealthIssue', 'HealthScheduledChange'] as const)(
  'an event of type %s of several EKS clusters',
  (type) => {
    const drained = (world: EventWorld) => world.drains.map((drain) => drain.split(' ')[0]).sort();

    it('concerns each of them, and its end ends all', async () => {
      const world = new EventWorld();
      world.annotate('clusters', 'member2', { [EKS_CLUSTER]: `arn:aws:eks:${REGION}:${ACCOUNT}:cluster/shop` });
      await world.begin({ types: [type], limit: '1h' });
      const named = { cluster: 'elsewhere', moreClusters: ['shop', 'prod'] };
      world.send(type, named);
      await world.pass(120);
      expect([drained(world), world.assigned('web')]).toEqual([['member1', 'member2'], { member3: 12 }]);
      // The others may be over already, and are not named then.
      world.send(type, { cluster: 'elsewhere' }, 'end');
      await world.pass(120);
      expect(drained(world)).toEqual([]);
    });

    it('concerns those of each of its pages until the end of that page', async () => {
      const world = new EventWorld();
      world.annotate('clusters', 'member2', { [EKS_CLUSTER]: `arn:aws:eks:${REGION}:${ACCOUNT}:cluster/shop` });
      await world.begin({ types: [type], limit: '1h' });
      const pages = [
        { incident: 'pages', cluster: 'elsewhere', moreClusters: ['prod'] },
        { incident: 'pages', cluster: 'shop', page: '2' },
      ];
      for (const page of pages) world.send(type, page);
      await world.pass(120);
      expect(drained(world)).toEqual(['member1', 'member2']);
      world.send(type, pages[0], 'end');
      await world.pass(120);
      expect(drained(world)).toEqual(['member2']);
      world.send(type, pages[1], 'end');
      await world.pass(120);
      expect(drained(world)).toEqual([]);
    });
  },
);

describe('a policy for events', () => {
  it('adds the instances of later events to the share', async () => {
    const world = new EventWorld();
    await world.begin({ types: ['SpotInterruption'] });
    world.send('SpotInterruption');
    await world.pass(20);
    world.instanceClusters.set('i-1', 'prod');
    world.instanceClusters.set('i-2', 'prod');
    world.send('SpotInterruption', { instance: 'i-1' });
    world.send('SpotInterruption', { instance: 'i-2' });
    await world.pass(200);
    expect(world.drains[0]).toMatch(/^member1 75 % /);
    expect([world.onMember1, world.ready]).toEqual([1, 12]);
  });

  it('adds an instance whose warning is earlier, and arrives later', async () => {
    const world = new EventWorld();
    await world.begin({ types: ['SpotInterruption'] });
    world.instanceClusters.set('i-1', 'prod');
    const time = world.in(-2);
    world.send('SpotInterruption');
    await world.pass(20);
    world.send('SpotInterruption', { instance: 'i-1', time });
    await world.pass(100);
    expect(world.drains[0]).toMatch(/^member1 50 % /);
    expect([world.onMember1, world.ready]).toEqual([2, 12]);
  });

  it('drains all of a cluster whose zones are all concerned, each by an event of its own', async () => {
    const world = new EventWorld();
    await world.begin({ types: ['ZonalShift'] });
    world.send('ZonalShift', { zone: 'euc1-az2' });
    await world.pass(20);
    expect(world.drains[0]).toMatch(/^member1 50 % /);
    world.send('ZonalShift', { zone: 'euc1-az3' });
    await world.pass(100);
    expect(world.drains[0]).toMatch(/^member1 100 % /);
    expect([world.onMember1, world.ready]).toEqual([0, 12]);
  });

  it('goes on while an event is reported again', async () => {
    const world = new EventWorld();
    await world.begin({ types: ['LaunchFailure'], action: 'Cordon', limit: '10m' });
    world.send('LaunchFailure');
    await world.passResyncing(5);
    world.send('LaunchFailure');
    await world.passResyncing(5);
    await world.pass(120);
    expect(world.drains).toHaveLength(1);
    await world.passResyncing(10);
    expect(world.drains).toEqual([]);
  });

  it('with action Cordon keeps new replicas away, and moves none', async () => {
    const world = new EventWorld();
    await world.begin({ types: ['LaunchFailure'], action: 'Cordon' });
    world.send('LaunchFailure');
    await world.pass(120);
    world.run('late', 6);
    await world.pass(60);
    expect([world.onMember1, world.assigned('late').member1]).toEqual([4, undefined]);
  });

  it('with action Rebalance starts one run, and none for an event of before the policy', async () => {
    const world = new EventWorld();
    world.send('EksUpdate');
    await world.begin({ types: ['EksUpdate'], action: 'Rebalance' });
    world.fleet.setCapacity('member3', 240);
    await world.pass(60);
    expect(await world.runs('aws')).toEqual([]);
    const time = world.in(0);
    world.bus.receive(samples.EksUpdate.begin({ time, cluster: 'other' }));
    world.send('EksUpdate', { time, update: 'another' });
    world.send('EksUpdate', { time, update: 'another' });
    await world.passResyncing(15);
    expect((await world.runs('aws')).map(({ triggers, state }) => [triggers[0]?.type, state])).toEqual([
      ['ExternalEvent', 'Finished'],
    ]);
    expect([world.drains, world.assigned('web').member3]).toEqual([[], 8]);
  });

  it('chooses events of a user by an expression, for the clusters that it names', async () => {
    const world = new EventWorld();
    await world.begin({
      match: "event.source == 'ci' && event.detail.stage == 'prod'",
      clusters: ['member2'],
      limit: '5m',
    });
    const event = { id: 'e1', source: 'ci', 'detail-type': 'Maintenance', time: world.in(0), detail: { stage: 'dev' } };
    world.bus.receive(event);
    await world.pass(60);
    expect(world.drains).toEqual([]);
    world.bus.receive({ ...event, id: 'e2', detail: { stage: 'prod' } });
    await world.pass(100);
    expect([world.drains[0]?.split(' until')[0], world.assigned('web').member2]).toEqual(['member2 100 %', undefined]);
    await world.passResyncing(10);
    expect(world.drains).toEqual([]);
  });

  it('drains no cluster for an event of a user that names none, also in the account and region of a cluster', async () => {
    const world = new EventWorld();
    await world.begin({ match: "event.source == 'ci'" });
    const event = { id: 'e1', source: 'ci', 'detail-type': 'Maintenance', time: world.in(0), detail: {} };
    world.bus.receive({ ...event, account: ACCOUNT, region: REGION });
    await world.pass(60);
    expect([world.drains, world.onMember1]).toEqual([[], 4]);
  });

  it('leaves the drain of a user alone, and its own goes with the policy', async () => {
    const world = new EventWorld();
    await world.begin({ types: ['ZonalShift'], action: 'Cordon' });
    const drain = { apiVersion: 'evenkeel.dev/v1alpha1', kind: 'ClusterDrain', metadata: { name: 'mine' } };
    world.store.create('clusterdrains', { ...drain, spec: { cluster: 'member2', percent: 0 } }, user);
    world.send('ZonalShift');
    await world.pass(30);
    expect(world.drains).toHaveLength(2);
    world.deletePolicy('aws');
    await world.pass(30);
    await world.passResyncing(5);
    expect(world.drains).toEqual(['member2 0 % until undefined']);
  });

  it('uncordons the cluster of an event that is lost with the table', async () => {
    const world = new EventWorld();
    await world.begin({ types: ['ZonalShift'] });
    world.send('ZonalShift');
    await world.pass(100);
    expect(world.taints).toEqual(['evenkeel.dev/drain']);
    world.externalEvents = new MemoryExternalEventStore();
    world.policies = new MemoryPolicyStore();
    await world.passResyncing(10);
    expect([world.drains, world.taints]).toEqual([[], []]);
  });

  it('that is suspended begins no drain, and keeps the one that goes on', async () => {
    const world = new EventWorld();
    await world.begin({ types: ['ZonalShift'], limit: '10m' });
    world.editPolicy('aws', { suspend: true });
    world.send('ZonalShift');
    await world.pass(60);
    expect(world.drains).toEqual([]);
    world.editPolicy('aws', { suspend: false });
    await world.pass(60);
    expect(world.drains).toHaveLength(1);
    world.editPolicy('aws', { suspend: true });
    await world.pass(60);
    expect(world.drains).toHaveLength(1);
    await world.passResyncing(15);
    expect(world.drains).toEqual([]);
  });

  it('with an invalid expression is not accepted', async () => {
    const world = new EventWorld();
    await world.begin({ match: 'event.source ==' });
    expect(world.status('aws').message).toMatch(
      /^spec\.triggers\.externalEvents\[0\]\.match: Invalid value: "event\.source =="/,
    );
  });
});
