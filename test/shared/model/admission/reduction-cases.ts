/** Words on replica reductions, good and bad, on policies and bindings: one table for the rules, the policy and the webhook. */
import {
  GRACE_PERIOD,
  QUEUE,
  REDUCTION_STRATEGY,
  SUPPRESS_DELETION,
} from '../../../../shared/model/graceful-reduction/replica-reduction.ts';

type Notes = Readonly<Record<string, string>>;

export interface ReductionWrite {
  readonly says: string;
  /** Absent for a create. */
  readonly before?: Notes;
  readonly after: Notes;
  /** What the person reads; absent where it goes through. */
  readonly refusal?: string;
}

const asking = { [REDUCTION_STRATEGY]: 'DelayWorkDeletion' };

const strategy = (shown: string) =>
  `metadata.annotations: evenkeel.dev/replica-reduction-strategy is "${shown}"; write DelayWorkDeletion, or take the annotation away to have nothing delayed`;
const grace = (shown: string) =>
  `metadata.annotations: evenkeel.dev/replica-reduction-grace-period-seconds is "${shown}"; write whole seconds from 1 to 2147483647, or take the annotation away for the usual time`;
const suppress = (shown: string) =>
  `metadata.annotations: evenkeel.dev/replica-reduction-suppress-deletion is "${shown}"; write true to wait for a person, or false, or take the annotation away`;
const both = (shown: string) =>
  `metadata.annotations: evenkeel.dev/replica-reduction-grace-period-seconds is "${shown}" and evenkeel.dev/replica-reduction-suppress-deletion is "true"; keep one of them: a time to wait at most, or to wait for a person`;

const refusedGrace = (value: string): ReductionWrite => ({
  says: `a grace period of "${value}"`,
  after: { ...asking, [GRACE_PERIOD]: value },
  refusal: grace(value),
});

/** On policies and on bindings. */
export const wordWrites: readonly ReductionWrite[] = [
  { says: 'no word', after: { note: 'seen' } },
  { says: 'the strategy', after: asking },
  { says: 'the strategy and a grace period', after: { ...asking, [GRACE_PERIOD]: '1' } },
  { says: 'the longest grace period', after: { ...asking, [GRACE_PERIOD]: '2147483647' } },
  { says: 'the strategy, to wait for a person', after: { ...asking, [SUPPRESS_DELETION]: 'true' } },
  {
    says: 'a grace period, and not to wait for a person',
    after: { ...asking, [GRACE_PERIOD]: '60', [SUPPRESS_DELETION]: 'false' },
  },
  { says: 'another strategy', after: { [REDUCTION_STRATEGY]: 'Delay' }, refusal: strategy('Delay') },
  { says: 'an empty strategy', after: { [REDUCTION_STRATEGY]: '' }, refusal: strategy('') },
  {
    says: 'a strategy of a thousand letters',
    after: { [REDUCTION_STRATEGY]: 'x'.repeat(1000) },
    refusal: strategy(`${'x'.repeat(60)}...`),
  },
  ...['0', '-5', '1.5', '10m', '2147483648', '99999999999', '', '007', ' 5'].map(refusedGrace),
  { says: 'neither true nor false', after: { [SUPPRESS_DELETION]: 'yes' }, refusal: suppress('yes') },
  {
    says: 'a grace period, and to wait for a person',
    after: { ...asking, [GRACE_PERIOD]: '60', [SUPPRESS_DELETION]: 'true' },
    refusal: both('60'),
  },
  {
    says: 'to wait for a person, added to a grace period',
    before: { ...asking, [GRACE_PERIOD]: '60' },
    after: { ...asking, [GRACE_PERIOD]: '60', [SUPPRESS_DELETION]: 'true' },
    refusal: both('60'),
  },
  {
    says: 'what was invalid before, unchanged',
    before: { [REDUCTION_STRATEGY]: 'Delay', [GRACE_PERIOD]: '0', [SUPPRESS_DELETION]: 'true' },
    after: { [REDUCTION_STRATEGY]: 'Delay', [GRACE_PERIOD]: '0', [SUPPRESS_DELETION]: 'true', note: 'seen' },
  },
  {
    says: 'another word beside one that was invalid before',
    before: { [REDUCTION_STRATEGY]: 'Delay' },
    after: { [REDUCTION_STRATEGY]: 'Delay', [GRACE_PERIOD]: '60' },
  },
  {
    says: 'the strategy beside two words that were against each other before',
    before: { [GRACE_PERIOD]: '60', [SUPPRESS_DELETION]: 'true' },
    after: { ...asking, [GRACE_PERIOD]: '60', [SUPPRESS_DELETION]: 'true' },
  },
  {
    says: 'one invalid word for another',
    before: { [REDUCTION_STRATEGY]: 'Delay' },
    after: { [REDUCTION_STRATEGY]: 'Later' },
    refusal: strategy('Later'),
  },
  { says: 'a word taken away', before: { [REDUCTION_STRATEGY]: 'Delay' }, after: {} },
];

const entry = (text: string) => ({ ...asking, [`${QUEUE}m1`]: text });
const entryRefusal = (text: string, says: string) =>
  `metadata.annotations: replica-reduction-queue.evenkeel.dev/m1 is ${text}; ${says}`;
const wrongGrace = 'gracePeriodSeconds: write whole seconds from 1 to 2147483647, or leave it out for the usual time';

const refusedEntry = (text: string, says: string): ReductionWrite => ({
  says: `the entry ${text}`,
  after: entry(text),
  refusal: entryRefusal(text, says),
});

/** On bindings. An update is judged as it was mended: what others write of size and time is the system's again. */
export const entryWrites: readonly ReductionWrite[] = [
  { says: 'an entry', after: entry('{"replicas":4}') },
  { says: 'an entry with a grace period', after: entry('{"replicas":4,"gracePeriodSeconds":600}') },
  { says: 'an entry with spaces', after: entry('{ "replicas": 4, "suppressDeletion": true }') },
  {
    says: 'an entry with a grace period, and not to wait for a person',
    after: entry('{"replicas":4,"gracePeriodSeconds":600,"suppressDeletion":false}'),
  },
  refusedEntry('please', 'write a task as JSON, for example {"replicas":4,"gracePeriodSeconds":600}'),
  refusedEntry(
    '{"replicas":4,"gracePeriodSeconds":6,"suppressDeletion":true}'.slice(0, 60),
    'write a task as JSON, for example {"replicas":4,"gracePeriodSeconds":600}',
  ),
  refusedEntry(
    '{"gracePeriodSeconds":6,"suppressDeletion":true}',
    'it has gracePeriodSeconds and suppressDeletion; keep one of them',
  ),
  refusedEntry('{"replicas":4,"gracePeriodSeconds":0}', wrongGrace),
  refusedEntry('{"replicas":4,"gracePeriodSeconds":-1}', wrongGrace),
  refusedEntry('{"replicas":4,"gracePeriodSeconds":"600"}', wrongGrace),
  {
    says: 'an entry that was invalid before, unchanged',
    before: { ...asking, [`${QUEUE}m1`]: 'please' },
    after: { ...asking, [`${QUEUE}m1`]: 'please', note: 'seen' },
  },
];
