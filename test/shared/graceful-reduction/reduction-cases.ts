/** Words on replica reductions, good and bad, on policies and bindings: one table for the rules, the policy and the webhook. */
import {
  GRACE_PERIOD,
  QUEUE,
  REDUCTION_STRATEGY,
  SUPPRESS_DELETION,
} from '../../../shared/graceful-reduction/replica-reduction.ts';

type Notes = Readonly<Record<string, string>>;

export interface ReductionWrite {
  readonly description: string;
  /** Absent for a create. */
  readonly before?: Notes;
  readonly after: Notes;
  /** The message for the user; absent if the write is accepted. */
  readonly rejection?: string;
}

const asking = { [REDUCTION_STRATEGY]: 'DelayWorkDeletion' };

const strategy = (shown: string) =>
  `metadata.annotations: evenkeel.dev/replica-reduction-strategy is "${shown}"; write DelayWorkDeletion, or take the annotation away to have nothing delayed`;
const grace = (shown: string) =>
  `metadata.annotations: evenkeel.dev/replica-reduction-grace-period-seconds is "${shown}"; write whole seconds from 1 to 2147483647, or take the annotation away for the usual time`;
const suppress = (shown: string) =>
  `metadata.annotations: evenkeel.dev/replica-reduction-suppress-deletion is "${shown}"; write true to wait for a manual release, or false, or take the annotation away`;
const both = (shown: string) =>
  `metadata.annotations: evenkeel.dev/replica-reduction-grace-period-seconds is "${shown}" and evenkeel.dev/replica-reduction-suppress-deletion is "true"; keep one of them: a maximum wait, or a manual release`;

const rejectedGrace = (value: string): ReductionWrite => ({
  description: `a grace period of "${value}"`,
  after: { ...asking, [GRACE_PERIOD]: value },
  rejection: grace(value),
});

/** On policies and on bindings. */
export const wordWrites: readonly ReductionWrite[] = [
  { description: 'no word', after: { note: 'seen' } },
  { description: 'the strategy', after: asking },
  { description: 'the strategy and a grace period', after: { ...asking, [GRACE_PERIOD]: '1' } },
  { description: 'the longest grace period', after: { ...asking, [GRACE_PERIOD]: '2147483647' } },
  { description: 'the strategy, to wait for an operator', after: { ...asking, [SUPPRESS_DELETION]: 'true' } },
  {
    description: 'a grace period, and not to wait for an operator',
    after: { ...asking, [GRACE_PERIOD]: '60', [SUPPRESS_DELETION]: 'false' },
  },
  { description: 'another strategy', after: { [REDUCTION_STRATEGY]: 'Delay' }, rejection: strategy('Delay') },
  { description: 'an empty strategy', after: { [REDUCTION_STRATEGY]: '' }, rejection: strategy('') },
  {
    description: 'a strategy of a thousand characters',
    after: { [REDUCTION_STRATEGY]: 'x'.repeat(1000) },
    rejection: strategy(`${'x'.repeat(60)}...`),
  },
  ...['0', '-5', '1.5', '10m', '2147483648', '99999999999', '', '007', ' 5'].map(rejectedGrace),
  { description: 'neither true nor false', after: { [SUPPRESS_DELETION]: 'yes' }, rejection: suppress('yes') },
  {
    description: 'a grace period, and to wait for an operator',
    after: { ...asking, [GRACE_PERIOD]: '60', [SUPPRESS_DELETION]: 'true' },
    rejection: both('60'),
  },
  {
    description: 'to wait for an operator, added to a grace period',
    before: { ...asking, [GRACE_PERIOD]: '60' },
    after: { ...asking, [GRACE_PERIOD]: '60', [SUPPRESS_DELETION]: 'true' },
    rejection: both('60'),
  },
  {
    description: 'what was invalid before, unchanged',
    before: { [REDUCTION_STRATEGY]: 'Delay', [GRACE_PERIOD]: '0', [SUPPRESS_DELETION]: 'true' },
    after: { [REDUCTION_STRATEGY]: 'Delay', [GRACE_PERIOD]: '0', [SUPPRESS_DELETION]: 'true', note: 'seen' },
  },
  {
    description: 'another word beside one that was invalid before',
    before: { [REDUCTION_STRATEGY]: 'Delay' },
    after: { [REDUCTION_STRATEGY]: 'Delay', [GRACE_PERIOD]: '60' },
  },
  {
    description: 'the strategy beside two words that were against each other before',
    before: { [GRACE_PERIOD]: '60', [SUPPRESS_DELETION]: 'true' },
    after: { ...asking, [GRACE_PERIOD]: '60', [SUPPRESS_DELETION]: 'true' },
  },
  {
    description: 'one invalid word for another',
    before: { [REDUCTION_STRATEGY]: 'Delay' },
    after: { [REDUCTION_STRATEGY]: 'Later' },
    rejection: strategy('Later'),
  },
  { description: 'a word taken away', before: { [REDUCTION_STRATEGY]: 'Delay' }, after: {} },
];

const entry = (text: string) => ({ ...asking, [`${QUEUE}m1`]: text });
const entryRejection = (text: string, description: string) =>
  `metadata.annotations: replica-reduction-queue.evenkeel.dev/m1 is ${text}; ${description}`;
const wrongGrace = 'gracePeriodSeconds: write whole seconds from 1 to 2147483647, or leave it out for the usual time';

const rejectedEntry = (text: string, description: string): ReductionWrite => ({
  description: `the entry ${text}`,
  after: entry(text),
  rejection: entryRejection(text, description),
});

/** On bindings. An update is validated after mutation: a size and a time that other users write are replaced by those of the system. */
export const entryWrites: readonly ReductionWrite[] = [
  { description: 'an entry', after: entry('{"replicas":4}') },
  { description: 'an entry with a grace period', after: entry('{"replicas":4,"gracePeriodSeconds":600}') },
  { description: 'an entry with spaces', after: entry('{ "replicas": 4, "suppressDeletion": true }') },
  {
    description: 'an entry with a grace period, and not to wait for an operator',
    after: entry('{"replicas":4,"gracePeriodSeconds":600,"suppressDeletion":false}'),
  },
  rejectedEntry('please', 'write a task as JSON, for example {"replicas":4,"gracePeriodSeconds":600}'),
  rejectedEntry(
    '{"replicas":4,"gracePeriodSeconds":6,"suppressDeletion":true}'.slice(0, 60),
    'write a task as JSON, for example {"replicas":4,"gracePeriodSeconds":600}',
  ),
  rejectedEntry(
    '{"gracePeriodSeconds":6,"suppressDeletion":true}',
    'it has gracePeriodSeconds and suppressDeletion; keep one of them',
  ),
  rejectedEntry('{"replicas":4,"gracePeriodSeconds":0}', wrongGrace),
  rejectedEntry('{"replicas":4,"gracePeriodSeconds":-1}', wrongGrace),
  rejectedEntry('{"replicas":4,"gracePeriodSeconds":"600"}', wrongGrace),
  {
    description: 'an entry that was invalid before, unchanged',
    before: { ...asking, [`${QUEUE}m1`]: 'please' },
    after: { ...asking, [`${QUEUE}m1`]: 'please', note: 'seen' },
  },
];
