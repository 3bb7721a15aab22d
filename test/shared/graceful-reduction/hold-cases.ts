/** What becomes of a write to a binding that takes replicas away, or is held: one table for the rules, the policy and the webhook. */
import {
  GRACE_PERIOD,
  QUEUE,
  REDUCTION_STRATEGY,
  RELEASED_FOR,
  SUPPRESS_DELETION,
} from '../../../shared/graceful-reduction/replica-reduction.ts';
import type { BindingState, EvictionTask } from './binding-states.ts';

export const OURS = 'system:serviceaccount:evenkeel:evenkeel';
export const OTHER_USER = 'system:admin';

export interface HoldWrite {
  readonly description: string;
  /** Another user if absent. */
  readonly by?: typeof OURS;
  readonly before: BindingState;
  readonly after: BindingState;
  /** What is stored, where it is not what was written. */
  readonly stored?: BindingState;
  /** The CRD of the hub prunes the field that asks. */
  readonly prunedThere?: true;
}

const SCHEDULED = '2026-07-01T08:00:00Z';
/** Later than any real hub's clock, so that its grace is over on none of them. */
const BEGAN = '"creationTimestamp":"2126-07-01T08:00:01Z"';
/** The time of the hub where a case has one. A real hub has its own. */
export const HUB_TIME = '2026-07-01T09:00:00Z';
const NOW = `"creationTimestamp":"${HUB_TIME}"`;
const LONG_AGO = '"creationTimestamp":"2026-07-01T08:00:00Z"';

const asking: BindingState = {
  notes: { [REDUCTION_STRATEGY]: 'DelayWorkDeletion' },
  clusters: { m1: 4, m2: 2 },
  lastScheduledTime: SCHEDULED,
};
const notes = (more: Readonly<Record<string, string>>) => ({ ...asking.notes, ...more });
const queue = (entries: Readonly<Record<string, string>>) =>
  notes(Object.fromEntries(Object.entries(entries).map(([cluster, entry]) => [`${QUEUE}${cluster}`, entry])));
const released = notes({ [RELEASED_FOR]: SCHEDULED });

const failover: EvictionTask = { fromCluster: 'm1', producer: 'TaintManager', reason: 'TaintUntolerated', replicas: 4 };
const elsewhere: EvictionTask = { ...failover, fromCluster: 'm9' };

const four = '{"replicas":4}';
const toNone = { ...asking, clusters: { m2: 6 } };
const toTwo = { ...asking, clusters: { m1: 2, m2: 4 } };
const keptM1 = { ...toNone, notes: queue({ m1: four }), kept: { m1: 4 } };
const suspendedM1 = { ...toTwo, notes: queue({ m1: four }), suspended: ['m1'] };

const many = Array.from({ length: 100 }, (_, i) => `member-${i}`);
const each = <T>(names: readonly string[], value: T) => Object.fromEntries(names.map((name) => [name, value]));
const gone = many.filter((_, i) => i % 2 === 0);
const fewer = many.filter((_, i) => i % 2 === 1);

const shrinking: readonly HoldWrite[] = [
  {
    description: 'a cluster loses all: it keeps what it has',
    before: asking,
    after: toNone,
    stored: keptM1,
  },
  {
    description: 'a cluster loses some replicas: its dispatching is suspended',
    before: asking,
    after: toTwo,
    stored: suspendedM1,
  },
  {
    description: 'one loses all, another some',
    before: { ...asking, clusters: { m1: 4, m2: 2, m3: 3 } },
    after: { ...asking, clusters: { m2: 1, m3: 8 } },
    stored: {
      ...asking,
      clusters: { m2: 1, m3: 8 },
      notes: queue({ m1: four, m2: '{"replicas":2}' }),
      kept: { m1: 4 },
      suspended: ['m2'],
    },
  },
  {
    description: 'all clusters are exchanged for others',
    before: asking,
    after: { ...asking, clusters: { m3: 6 } },
    stored: {
      ...asking,
      clusters: { m3: 6 },
      notes: queue({ m1: four, m2: '{"replicas":2}' }),
      kept: { m1: 4, m2: 2 },
    },
  },
  {
    description: 'a Duplicated workload moves to another cluster',
    before: { ...asking, clusters: { m1: 6, m2: 6 } },
    after: { ...asking, clusters: { m2: 6, m3: 6 } },
    stored: { ...asking, clusters: { m2: 6, m3: 6 }, notes: queue({ m1: '{"replicas":6}' }), kept: { m1: 6 } },
  },
  {
    description: 'every cluster of a Duplicated binding but one loses all: no cluster gains, so nothing is held',
    before: { ...asking, clusters: { m1: 6, m2: 6, m3: 6 } },
    after: { ...asking, clusters: { m2: 6 } },
  },
  {
    description: 'the list of clusters is emptied: no replacement is assigned, so nothing is held',
    before: asking,
    after: { ...asking, clusters: {} },
  },
  {
    description: 'a Divided workload is scaled down in all its clusters: nothing is held',
    before: { ...asking, replicas: 2 },
    after: { ...asking, replicas: 2, clusters: { m1: 1, m2: 1 } },
  },
  {
    description: 'a Divided workload is scaled down and leaves a cluster: nothing is held',
    before: { ...asking, replicas: 2 },
    after: { ...asking, replicas: 2, clusters: { m2: 2 } },
  },
  {
    description: 'a cluster without replicas is added and another loses some: nothing is held',
    before: asking,
    after: { ...asking, clusters: { m1: 2, m2: 2, m3: 0 } },
  },
  {
    description: 'it is scaled down and moves in the same write: a cluster keeps no more than is wanted in all',
    before: { ...asking, replicas: 3 },
    after: { ...asking, replicas: 3, clusters: { m3: 3 } },
    stored: {
      ...asking,
      replicas: 3,
      clusters: { m3: 3 },
      notes: queue({ m1: '{"replicas":3}', m2: '{"replicas":2}' }),
      kept: { m1: 3, m2: 2 },
    },
  },
  {
    description: 'a hundred clusters lose all or some',
    before: { ...asking, clusters: each(many, 4) },
    after: { ...asking, clusters: { ...each(fewer, 1), m2: 350 } },
    stored: {
      ...asking,
      clusters: { ...each(fewer, 1), m2: 350 },
      notes: queue(each(many, four)),
      kept: each(gone, 4),
      suspended: fewer,
    },
  },
  {
    description: 'the binding names its grace period',
    before: asking,
    after: { ...toNone, notes: notes({ [GRACE_PERIOD]: '90' }) },
    stored: {
      ...keptM1,
      notes: { ...queue({ m1: '{"replicas":4,"gracePeriodSeconds":90}' }), [GRACE_PERIOD]: '90' },
    },
  },
  {
    description: 'the binding waits for an operator',
    before: asking,
    after: { ...toTwo, notes: notes({ [SUPPRESS_DELETION]: 'true' }) },
    stored: {
      ...suspendedM1,
      notes: { ...queue({ m1: '{"replicas":4,"suppressDeletion":true}' }), [SUPPRESS_DELETION]: 'true' },
    },
  },
  {
    description: 'the field of the proposal asks',
    before: { ...asking, notes: {}, strategy: 'DelayWorkDeletion' },
    after: { ...toNone, notes: {}, strategy: 'DelayWorkDeletion' },
    stored: {
      ...toNone,
      notes: { [`${QUEUE}m1`]: four },
      strategy: 'DelayWorkDeletion',
      kept: { m1: 4 },
    },
    prunedThere: true,
  },
  {
    description: 'the binding has no annotation for it',
    before: { ...asking, notes: {} },
    after: { ...toNone, notes: {} },
  },
  {
    description: 'another word asks',
    before: { ...asking, notes: { [REDUCTION_STRATEGY]: 'Immediately' } },
    after: { ...toNone, notes: { [REDUCTION_STRATEGY]: 'Immediately' } },
  },
  { description: 'it grows', before: asking, after: { ...asking, clusters: { m1: 4, m2: 9, m3: 1 } } },
  { description: 'clusters change places', before: asking, after: { ...asking, clusters: { m2: 2, m1: 4 } } },
  { description: 'a cluster without replicas goes', before: { ...asking, clusters: { m1: 0, m2: 6 } }, after: toNone },
  { description: 'it is scaled to 0', before: asking, after: { ...asking, replicas: 0, clusters: {} } },
  {
    description: 'its own failover evicts the cluster in the same write',
    before: asking,
    after: { ...toNone, tasks: [failover] },
  },
  {
    description: 'a cluster loses some replicas while a user has suspended its dispatching: it keeps its replicas',
    before: { ...asking, suspended: ['m1'] },
    after: { ...toTwo, suspended: ['m1'] },
  },
  {
    description: 'a cluster loses all replicas while a user has suspended its dispatching',
    before: { ...asking, suspended: ['m1'] },
    after: { ...toNone, suspended: ['m1'] },
    stored: { ...keptM1, suspended: ['m1'] },
  },
  {
    description: 'a user suspended the dispatching of another cluster',
    before: { ...asking, suspended: ['m2'] },
    after: { ...toTwo, suspended: ['m2'] },
    stored: { ...suspendedM1, suspended: ['m2', 'm1'] },
  },
  {
    description: 'others require it in the cluster that it leaves: their line stays beside ours',
    before: { ...asking, others: { m1: 1 } },
    after: { ...toNone, others: { m1: 1 } },
    stored: { ...keptM1, others: { m1: 1 } },
  },
  {
    description: 'others evict it from other clusters',
    before: { ...asking, tasks: [elsewhere] },
    after: { ...toNone, tasks: [elsewhere] },
    stored: { ...keptM1, tasks: [elsewhere], kept: { m1: 4 } },
  },
];

const held: readonly HoldWrite[] = [
  { description: 'a label changes while something is kept', before: keptM1, after: { ...keptM1, label: 'seen' } },
  {
    description: 'a label changes while a dispatching is held',
    before: suspendedM1,
    after: { ...suspendedM1, label: 'seen' },
  },
  {
    description: 'a change of the template or policy wipes the suspension: it is put back',
    before: suspendedM1,
    after: { ...suspendedM1, suspended: undefined, label: 'new-template' },
    stored: { ...suspendedM1, label: 'new-template' },
  },
  {
    description: 'another client that ignores our entry removes it: the entry is restored',
    before: keptM1,
    after: { ...keptM1, kept: undefined },
    stored: keptM1,
  },
  {
    description: 'all is assigned again: the hold is dropped',
    before: keptM1,
    after: { ...keptM1, clusters: { m1: 4, m2: 6 } },
    stored: { ...asking, clusters: { m1: 4, m2: 6 } },
  },
  {
    description: 'it goes back to where it was: the hold is turned round',
    before: keptM1,
    after: { ...keptM1, clusters: { m1: 4, m2: 2 } },
    stored: { ...asking, notes: queue({ m2: '{"replicas":6}' }), suspended: ['m2'] },
  },
  {
    description: 'more than all is assigned again',
    before: suspendedM1,
    after: { ...suspendedM1, clusters: { m1: 5, m2: 1 } },
    stored: {
      ...asking,
      clusters: { m1: 5, m2: 1 },
      notes: queue({ m2: four }),
      suspended: ['m2'],
    },
  },
  {
    description: 'some is assigned again: it stays',
    before: suspendedM1,
    after: { ...suspendedM1, clusters: { m1: 3, m2: 4 } },
  },
  {
    description: 'one that is held with some loses the rest',
    before: suspendedM1,
    after: { ...suspendedM1, clusters: { m2: 6 } },
    stored: { ...keptM1, suspended: [] },
  },
  {
    description: 'one that is held with none gets some',
    before: keptM1,
    after: { ...keptM1, clusters: { m1: 2, m2: 6 } },
    stored: { ...suspendedM1, clusters: { m1: 2, m2: 6 } },
  },
  {
    description: 'one that is held loses more: it keeps what it had at first',
    before: suspendedM1,
    after: { ...suspendedM1, clusters: { m1: 1, m2: 5 } },
  },
  {
    description: 'another loses some while one is held',
    before: keptM1,
    after: { ...keptM1, clusters: { m2: 5, m3: 1 } },
    stored: {
      ...keptM1,
      clusters: { m2: 5, m3: 1 },
      notes: queue({ m1: four, m2: '{"replicas":6}' }),
      suspended: ['m2'],
    },
  },
  {
    description: 'it is scaled down while a cluster is kept: the cluster keeps no more than is wanted in all',
    before: keptM1,
    after: { ...keptM1, replicas: 3 },
    stored: { ...keptM1, replicas: 3, notes: queue({ m1: '{"replicas":3}' }), kept: { m1: 3 } },
  },
  {
    description: 'it is scaled down to what a held cluster is assigned: the hold is dropped',
    before: suspendedM1,
    after: { ...suspendedM1, replicas: 2 },
    stored: { ...toTwo, replicas: 2, suspended: [] },
  },
  {
    description: 'the cluster that was to take over is scaled down while another is held: it is not held too',
    before: { ...keptM1, replicas: 3, notes: queue({ m1: '{"replicas":3}' }), kept: { m1: 3 } },
    after: { ...keptM1, replicas: 3, clusters: { m2: 3 }, notes: queue({ m1: '{"replicas":3}' }), kept: { m1: 3 } },
  },
  {
    description: 'it is scaled to 0 while held',
    before: { ...keptM1, suspended: [] },
    after: { ...keptM1, suspended: [], replicas: 0 },
    stored: { ...toNone, replicas: 0, suspended: [] },
  },
  {
    description: 'the strategy is taken away while held',
    before: suspendedM1,
    after: { ...suspendedM1, notes: { [`${QUEUE}m1`]: four } },
    stored: { ...toTwo, notes: {}, suspended: [] },
  },
  {
    description: 'it is being deleted while held',
    before: { ...keptM1, deleting: true },
    after: { ...keptM1, deleting: true, label: 'seen' },
    stored: { ...toNone, deleting: true, label: 'seen' },
  },
  {
    description: 'its failover evicts the cluster that is held: the hold is dropped',
    before: keptM1,
    after: { ...keptM1, tasks: [failover] },
    stored: { ...toNone, tasks: [failover] },
  },
  {
    description: 'its failover evicts another cluster',
    before: keptM1,
    after: { ...keptM1, tasks: [elsewhere], kept: { m1: 4 } },
  },
  {
    description: 'a user suspends the dispatching of another cluster while one is held',
    before: suspendedM1,
    after: { ...suspendedM1, suspended: ['m1', 'm2'] },
  },
  {
    description: 'a line of ours that no entry asks for is taken away by whatever write comes',
    before: { ...toNone, tasks: [elsewhere], kept: { m1: 4 } },
    after: { ...toNone, tasks: [elsewhere], kept: { m1: 4 }, label: 'seen' },
    stored: { ...toNone, tasks: [elsewhere], label: 'seen' },
  },
];

const releasing: readonly HoldWrite[] = [
  {
    description: 'a user removes the entry of a held cluster: the hold is released, and the release is recorded',
    before: keptM1,
    after: { ...keptM1, notes: asking.notes },
    stored: { ...toNone, notes: released },
  },
  {
    description: 'a user removes the entry of a suspension',
    before: { ...suspendedM1, suspended: ['m2', 'm1'] },
    after: { ...suspendedM1, suspended: ['m2', 'm1'], notes: asking.notes },
    stored: { ...toTwo, notes: released, suspended: ['m2'] },
  },
  {
    description: 'we take the entry away with all that came of it',
    by: OURS,
    before: keptM1,
    after: { ...toNone, notes: released },
  },
  {
    description: 'one of two is released',
    before: {
      ...asking,
      clusters: { m3: 6 },
      notes: queue({ m1: four, m2: '{"replicas":2}' }),
      kept: { m1: 4, m2: 2 },
    },
    after: {
      ...asking,
      clusters: { m3: 6 },
      notes: queue({ m2: '{"replicas":2}' }),
      kept: { m1: 4, m2: 2 },
    },
    stored: {
      ...asking,
      clusters: { m3: 6 },
      notes: { ...queue({ m2: '{"replicas":2}' }), [RELEASED_FOR]: SCHEDULED },
      kept: { m2: 2 },
    },
  },
  {
    description: 'one is released in the write that takes more from it: it is not held anew',
    before: suspendedM1,
    after: { ...suspendedM1, notes: asking.notes, clusters: { m1: 1, m2: 5 } },
    stored: { ...asking, notes: released, clusters: { m1: 1, m2: 5 }, suspended: [] },
  },
  {
    description: 'one is released that was never scheduled',
    before: { ...keptM1, lastScheduledTime: undefined },
    after: { ...keptM1, lastScheduledTime: undefined, notes: asking.notes },
    stored: { ...toNone, lastScheduledTime: undefined },
  },
  {
    description: 'all annotations are taken away',
    before: keptM1,
    after: { ...keptM1, notes: undefined },
    stored: { ...toNone, notes: undefined },
  },
];

const entries = (
  description: string,
  before: string | undefined,
  after: string,
  stored: string,
  by?: typeof OURS,
): HoldWrite => {
  const of = (entry: string | undefined) => ({
    ...toNone,
    ...(entry !== undefined && { notes: queue({ m1: entry }) }),
  });
  return {
    description,
    ...(by && { by }),
    before: before === undefined ? asking : { ...of(before), kept: { m1: 4 } },
    after: { ...of(after), kept: before === undefined ? undefined : { m1: 4 } },
    stored: { ...of(stored), kept: { m1: 4 } },
  };
};

const noted = `{"replicas":4,"gracePeriodSeconds":60,${BEGAN}}`;

const writing: readonly HoldWrite[] = [
  entries('we note when it began', four, `{"replicas":4,${BEGAN}}`, `{"replicas":4,${BEGAN}}`, OURS),
  entries('another user writes when it began: only the system may set it', four, `{"replicas":4,${BEGAN}}`, four),
  entries('another user changes when it began', noted, noted.replace('08:00:01', '09:00:00'), noted),
  entries('another user removes when it began', noted, '{"replicas":4,"gracePeriodSeconds":60}', noted),
  entries('another user changes the held replicas', noted, noted.replace(':4', ':9'), noted),
  entries('another user changes the grace period', noted, noted.replace('60', '5'), noted.replace('60', '5')),
  entries(
    'another user sets it to wait for an operator',
    noted,
    '{ "replicas": 4, "suppressDeletion": true }',
    `{"replicas":4,"suppressDeletion":true,${BEGAN}}`,
  ),
  entries('another user overwrites it with an invalid entry', noted, 'please', `{"replicas":4,${BEGAN}}`),
  entries(
    'another user writes the entry together with the reduction: its size is the current number',
    undefined,
    `{"replicas":9,"gracePeriodSeconds":30,${BEGAN}}`,
    '{"replicas":4,"gracePeriodSeconds":30}',
  ),
  entries('we write the entry in the write that takes it away', undefined, four, four, OURS),
  {
    description: 'we hold what was reduced while no rules were there',
    by: OURS,
    before: toTwo,
    after: { ...toTwo, notes: queue({ m1: four }) },
    stored: suspendedM1,
  },
  {
    description: 'another user writes an entry without a reduction: there is nothing to hold',
    before: asking,
    after: { ...asking, notes: queue({ m1: '{"replicas":9}' }) },
    stored: asking,
  },
  {
    description: 'another user writes an entry on a binding without a strategy',
    before: { ...asking, notes: {} },
    after: { ...asking, notes: { [`${QUEUE}m1`]: four } },
    stored: { ...asking, notes: {} },
  },
];

const at = { hubTime: HUB_TIME } as const;
const keptSince = (entry: string): BindingState => ({ ...keptM1, ...at, notes: queue({ m1: entry }) });
const suspendedSince = (entry: string): BindingState => ({ ...suspendedM1, ...at, notes: queue({ m1: entry }) });
const letGoOf = (state: BindingState): BindingState => ({ ...state, ...at, label: 'seen', notes: released });
const seen = (state: BindingState): BindingState => ({ ...state, label: 'seen' });
const old = `{"replicas":4,"gracePeriodSeconds":600,${LONG_AGO}}`;

const timed: readonly HoldWrite[] = [
  {
    description: 'a cluster loses all: its entry has the time of the write',
    before: { ...asking, ...at },
    after: { ...toNone, ...at },
    stored: keptSince(`{"replicas":4,${NOW}}`),
  },
  {
    description: 'a cluster loses some: its entry has the time of the write',
    before: { ...asking, ...at },
    after: { ...toTwo, ...at },
    stored: suspendedSince(`{"replicas":4,${NOW}}`),
  },
  {
    description: 'an entry has no time: the next write gives it one',
    before: keptSince('{"replicas":4,"gracePeriodSeconds":5}'),
    after: seen(keptSince('{"replicas":4,"gracePeriodSeconds":5}')),
    stored: seen(keptSince(`{"replicas":4,"gracePeriodSeconds":5,${NOW}}`)),
  },
  {
    description: 'a kept cluster is past its grace: any write releases it',
    before: keptSince(old),
    after: seen(keptSince(old)),
    stored: letGoOf(toNone),
  },
  {
    description: 'a suspended cluster is past its grace: a change of the template releases it',
    before: suspendedSince(old),
    after: { ...seen(suspendedSince(old)), suspended: undefined },
    stored: { ...letGoOf(toTwo), suspended: [] },
  },
  {
    description: 'a held cluster is exactly at the end of its grace: it is released',
    before: keptSince(old.replace('600', '3600')),
    after: seen(keptSince(old.replace('600', '3600'))),
    stored: letGoOf(toNone),
  },
  {
    description: 'an entry without a grace period is past the default',
    before: keptSince(`{"replicas":4,${LONG_AGO}}`),
    after: seen(keptSince(`{"replicas":4,${LONG_AGO}}`)),
    stored: letGoOf(toNone),
  },
  {
    description: 'our own write finds a held cluster past its grace: it is released all the same',
    by: OURS,
    before: keptSince(old),
    after: seen(keptSince(old)),
    stored: letGoOf(toNone),
  },
  {
    description: 'a held cluster is within its grace: it stays held',
    before: keptSince(old.replace('600', '2147483647')),
    after: seen(keptSince(old.replace('600', '2147483647'))),
  },
  {
    description: 'a held cluster that waits for a user has no grace: it stays held',
    before: keptSince(`{"replicas":4,"suppressDeletion":true,${LONG_AGO}}`),
    after: seen(keptSince(`{"replicas":4,"suppressDeletion":true,${LONG_AGO}}`)),
  },
  {
    description: 'a user has a cluster wait that is past its grace: it stays held',
    before: keptSince(old),
    after: keptSince('{"replicas":4,"suppressDeletion":true}'),
    stored: keptSince(`{"replicas":4,"suppressDeletion":true,${LONG_AGO}}`),
  },
  {
    description: 'a user shortens a grace to less than has passed: it is released',
    before: keptSince(old.replace('600', '2147483647')),
    after: { ...keptSince('{"replicas":4,"gracePeriodSeconds":1}'), label: 'seen' },
    stored: letGoOf(toNone),
  },
  {
    description: 'one of two held clusters is past its grace: the other stays held',
    before: {
      ...asking,
      ...at,
      clusters: { m3: 6 },
      notes: queue({ m1: old, m2: noted.replace(':4', ':2') }),
      kept: { m1: 4, m2: 2 },
    },
    after: {
      ...asking,
      ...at,
      label: 'seen',
      clusters: { m3: 6 },
      notes: queue({ m1: old, m2: noted.replace(':4', ':2') }),
      kept: { m1: 4, m2: 2 },
    },
    stored: {
      ...asking,
      ...at,
      label: 'seen',
      clusters: { m3: 6 },
      notes: { ...queue({ m2: noted.replace(':4', ':2') }), [RELEASED_FOR]: SCHEDULED },
      kept: { m2: 2 },
    },
  },
  {
    description: 'all dispatching is suspended: the grace begins anew with each write',
    before: { ...keptSince(old), dispatching: false },
    after: seen({ ...keptSince(old), dispatching: false }),
    stored: seen({ ...keptSince(old.replace(LONG_AGO, NOW)), dispatching: false }),
  },
  {
    description: 'dispatching is resumed: the grace begins with that write',
    before: { ...keptSince(old), dispatching: false },
    after: keptSince(old),
    stored: keptSince(old.replace(LONG_AGO, NOW)),
  },
];

export const holdWrites: readonly HoldWrite[] = [...shrinking, ...held, ...releasing, ...writing, ...timed];
