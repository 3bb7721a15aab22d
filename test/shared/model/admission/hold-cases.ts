/** What becomes of a write to a binding that takes replicas away, or is held: one table for the rules, the policy and the webhook. */
import {
  GRACE_PERIOD,
  QUEUE,
  REDUCTION_STRATEGY,
  RELEASED_FOR,
  SUPPRESS_DELETION,
} from '../../../../shared/model/graceful-reduction/replica-reduction.ts';
import type { BindingState, EvictionTask } from './binding-states.ts';

export const OURS = 'system:serviceaccount:evenkeel:evenkeel';
export const SOMEBODY = 'system:admin';

export interface HoldWrite {
  readonly says: string;
  /** Somebody else where absent. */
  readonly by?: typeof OURS;
  readonly before: BindingState;
  readonly after: BindingState;
  /** What is stored, where it is not what was written. */
  readonly stored?: BindingState;
  /** The CRD of the hub prunes the field that asks. */
  readonly prunedThere?: true;
}

const SCHEDULED = '2026-07-01T08:00:00Z';
const BEGAN = '"creationTimestamp":"2026-07-01T08:00:01Z"';

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
    says: 'a cluster loses all: it keeps what it has',
    before: asking,
    after: toNone,
    stored: keptM1,
  },
  { says: 'a cluster loses some: it is not told', before: asking, after: toTwo, stored: suspendedM1 },
  {
    says: 'one loses all, another some',
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
    says: 'all clusters are exchanged for others',
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
    says: 'every cluster of a Duplicated binding but one loses all',
    before: { ...asking, clusters: { m1: 6, m2: 6, m3: 6 } },
    after: { ...asking, clusters: { m2: 6 } },
    stored: {
      ...asking,
      clusters: { m2: 6 },
      notes: queue({ m1: '{"replicas":6}', m3: '{"replicas":6}' }),
      kept: { m1: 6, m3: 6 },
    },
  },
  {
    says: 'the list of clusters is emptied',
    before: asking,
    after: { ...asking, clusters: {} },
    stored: {
      ...asking,
      clusters: {},
      notes: queue({ m1: four, m2: '{"replicas":2}' }),
      kept: { m1: 4, m2: 2 },
    },
  },
  {
    says: 'a hundred clusters lose all or some',
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
    says: 'the binding names its grace period',
    before: asking,
    after: { ...toNone, notes: notes({ [GRACE_PERIOD]: '90' }) },
    stored: {
      ...keptM1,
      notes: { ...queue({ m1: '{"replicas":4,"gracePeriodSeconds":90}' }), [GRACE_PERIOD]: '90' },
    },
  },
  {
    says: 'the binding waits for a person',
    before: asking,
    after: { ...toTwo, notes: notes({ [SUPPRESS_DELETION]: 'true' }) },
    stored: {
      ...suspendedM1,
      notes: { ...queue({ m1: '{"replicas":4,"suppressDeletion":true}' }), [SUPPRESS_DELETION]: 'true' },
    },
  },
  {
    says: 'the field of the proposal asks',
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
  { says: 'nobody asks for it', before: { ...asking, notes: {} }, after: { ...toNone, notes: {} } },
  {
    says: 'another word asks',
    before: { ...asking, notes: { [REDUCTION_STRATEGY]: 'Immediately' } },
    after: { ...toNone, notes: { [REDUCTION_STRATEGY]: 'Immediately' } },
  },
  { says: 'it grows', before: asking, after: { ...asking, clusters: { m1: 4, m2: 9, m3: 1 } } },
  { says: 'clusters change places', before: asking, after: { ...asking, clusters: { m2: 2, m1: 4 } } },
  { says: 'a cluster without replicas goes', before: { ...asking, clusters: { m1: 0, m2: 6 } }, after: toNone },
  { says: 'it is scaled to 0', before: asking, after: { ...asking, replicas: 0, clusters: {} } },
  {
    says: 'its own failover evicts the cluster in the same write',
    before: asking,
    after: { ...toNone, tasks: [failover] },
  },
  {
    says: 'a cluster of which a person suspended the dispatching loses some: it keeps what it has by their will',
    before: { ...asking, suspended: ['m1'] },
    after: { ...toTwo, suspended: ['m1'] },
  },
  {
    says: 'a cluster of which a person suspended the dispatching loses all',
    before: { ...asking, suspended: ['m1'] },
    after: { ...toNone, suspended: ['m1'] },
    stored: { ...keptM1, suspended: ['m1'] },
  },
  {
    says: 'a person suspended the dispatching of another cluster',
    before: { ...asking, suspended: ['m2'] },
    after: { ...toTwo, suspended: ['m2'] },
    stored: { ...suspendedM1, suspended: ['m2', 'm1'] },
  },
  {
    says: 'others require it in the cluster that it leaves: their line stays beside ours',
    before: { ...asking, others: { m1: 1 } },
    after: { ...toNone, others: { m1: 1 } },
    stored: { ...keptM1, others: { m1: 1 } },
  },
  {
    says: 'others evict it from other clusters',
    before: { ...asking, tasks: [elsewhere] },
    after: { ...toNone, tasks: [elsewhere] },
    stored: { ...keptM1, tasks: [elsewhere], kept: { m1: 4 } },
  },
];

const held: readonly HoldWrite[] = [
  { says: 'a label changes while something is kept', before: keptM1, after: { ...keptM1, label: 'seen' } },
  {
    says: 'a label changes while a dispatching is held',
    before: suspendedM1,
    after: { ...suspendedM1, label: 'seen' },
  },
  {
    says: 'a change of the template or policy wipes the suspension: it is put back',
    before: suspendedM1,
    after: { ...suspendedM1, suspended: undefined, label: 'new-template' },
    stored: { ...suspendedM1, label: 'new-template' },
  },
  {
    says: 'somebody who knows of no line of ours takes it away: it is put back',
    before: keptM1,
    after: { ...keptM1, kept: undefined },
    stored: keptM1,
  },
  {
    says: 'all is assigned again: the hold is dropped',
    before: keptM1,
    after: { ...keptM1, clusters: { m1: 4, m2: 6 } },
    stored: { ...asking, clusters: { m1: 4, m2: 6 } },
  },
  {
    says: 'it goes back to where it was: the hold is turned round',
    before: keptM1,
    after: { ...keptM1, clusters: { m1: 4, m2: 2 } },
    stored: { ...asking, notes: queue({ m2: '{"replicas":6}' }), suspended: ['m2'] },
  },
  {
    says: 'more than all is assigned again',
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
    says: 'some is assigned again: it stays',
    before: suspendedM1,
    after: { ...suspendedM1, clusters: { m1: 3, m2: 4 } },
  },
  {
    says: 'one that is held with some loses the rest',
    before: suspendedM1,
    after: { ...suspendedM1, clusters: { m2: 6 } },
    stored: { ...keptM1, suspended: [] },
  },
  {
    says: 'one that is held with none gets some',
    before: keptM1,
    after: { ...keptM1, clusters: { m1: 2, m2: 6 } },
    stored: { ...suspendedM1, clusters: { m1: 2, m2: 6 } },
  },
  {
    says: 'one that is held loses more: it keeps what it had at first',
    before: suspendedM1,
    after: { ...suspendedM1, clusters: { m1: 1, m2: 5 } },
  },
  {
    says: 'another loses some while one is held',
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
    says: 'it is scaled to 0 while held',
    before: { ...keptM1, suspended: [] },
    after: { ...keptM1, suspended: [], replicas: 0 },
    stored: { ...toNone, replicas: 0, suspended: [] },
  },
  {
    says: 'the strategy is taken away while held',
    before: suspendedM1,
    after: { ...suspendedM1, notes: { [`${QUEUE}m1`]: four } },
    stored: { ...toTwo, notes: {}, suspended: [] },
  },
  {
    says: 'it is being deleted while held',
    before: { ...keptM1, deleting: true },
    after: { ...keptM1, deleting: true, label: 'seen' },
    stored: { ...toNone, deleting: true, label: 'seen' },
  },
  {
    says: 'its failover evicts the cluster that is held: the hold is dropped',
    before: keptM1,
    after: { ...keptM1, tasks: [failover] },
    stored: { ...toNone, tasks: [failover] },
  },
  {
    says: 'its failover evicts another cluster',
    before: keptM1,
    after: { ...keptM1, tasks: [elsewhere], kept: { m1: 4 } },
  },
  {
    says: 'a person suspends the dispatching of another cluster while one is held',
    before: suspendedM1,
    after: { ...suspendedM1, suspended: ['m1', 'm2'] },
  },
  {
    says: 'a line of ours that no entry asks for is taken away by whatever write comes',
    before: { ...toNone, tasks: [elsewhere], kept: { m1: 4 } },
    after: { ...toNone, tasks: [elsewhere], kept: { m1: 4 }, label: 'seen' },
    stored: { ...toNone, tasks: [elsewhere], label: 'seen' },
  },
];

const releasing: readonly HoldWrite[] = [
  {
    says: 'a person takes the entry of what is kept away: it is released, and that is noted',
    before: keptM1,
    after: { ...keptM1, notes: asking.notes },
    stored: { ...toNone, notes: released },
  },
  {
    says: 'a person takes the entry of a suspension away',
    before: { ...suspendedM1, suspended: ['m2', 'm1'] },
    after: { ...suspendedM1, suspended: ['m2', 'm1'], notes: asking.notes },
    stored: { ...toTwo, notes: released, suspended: ['m2'] },
  },
  {
    says: 'we take the entry away with all that came of it',
    by: OURS,
    before: keptM1,
    after: { ...toNone, notes: released },
  },
  {
    says: 'one of two is released',
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
    says: 'one is released in the write that takes more from it: it is not held anew',
    before: suspendedM1,
    after: { ...suspendedM1, notes: asking.notes, clusters: { m1: 1, m2: 5 } },
    stored: { ...asking, notes: released, clusters: { m1: 1, m2: 5 }, suspended: [] },
  },
  {
    says: 'one is released that was never scheduled',
    before: { ...keptM1, lastScheduledTime: undefined },
    after: { ...keptM1, lastScheduledTime: undefined, notes: asking.notes },
    stored: { ...toNone, lastScheduledTime: undefined },
  },
  {
    says: 'all annotations are taken away',
    before: keptM1,
    after: { ...keptM1, notes: undefined },
    stored: { ...toNone, notes: undefined },
  },
];

const entries = (
  says: string,
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
    says,
    ...(by && { by }),
    before: before === undefined ? asking : { ...of(before), kept: { m1: 4 } },
    after: { ...of(after), kept: before === undefined ? undefined : { m1: 4 } },
    stored: { ...of(stored), kept: { m1: 4 } },
  };
};

const noted = `{"replicas":4,"gracePeriodSeconds":60,${BEGAN}}`;

const writing: readonly HoldWrite[] = [
  entries('we note when it began', four, `{"replicas":4,${BEGAN}}`, `{"replicas":4,${BEGAN}}`, OURS),
  entries('somebody else notes when it began: it is the system’s to say', four, `{"replicas":4,${BEGAN}}`, four),
  entries('somebody else changes when it began', noted, noted.replace('08:00:01', '09:00:00'), noted),
  entries('somebody forgets when it began', noted, '{"replicas":4,"gracePeriodSeconds":60}', noted),
  entries('somebody changes how much it keeps', noted, noted.replace(':4', ':9'), noted),
  entries('somebody changes the grace period', noted, noted.replace('60', '5'), noted.replace('60', '5')),
  entries(
    'somebody has it wait for a person',
    noted,
    '{ "replicas": 4, "suppressDeletion": true }',
    `{"replicas":4,"suppressDeletion":true,${BEGAN}}`,
  ),
  entries('somebody writes what is no entry in its place', noted, 'please', `{"replicas":4,${BEGAN}}`),
  entries(
    'somebody writes the entry in the write that takes it away: its size is what it has',
    undefined,
    `{"replicas":9,"gracePeriodSeconds":30,${BEGAN}}`,
    '{"replicas":4,"gracePeriodSeconds":30}',
  ),
  entries('we write the entry in the write that takes it away', undefined, four, four, OURS),
  {
    says: 'we hold what was reduced while no rules were there',
    by: OURS,
    before: toTwo,
    after: { ...toTwo, notes: queue({ m1: four }) },
    stored: suspendedM1,
  },
  {
    says: 'somebody writes an entry where nothing is taken away: there is nothing to hold',
    before: asking,
    after: { ...asking, notes: queue({ m1: '{"replicas":9}' }) },
    stored: asking,
  },
  {
    says: 'somebody writes an entry where nobody asks',
    before: { ...asking, notes: {} },
    after: { ...asking, notes: { [`${QUEUE}m1`]: four } },
    stored: { ...asking, notes: {} },
  },
];

export const holdWrites: readonly HoldWrite[] = [...shrinking, ...held, ...releasing, ...writing];
