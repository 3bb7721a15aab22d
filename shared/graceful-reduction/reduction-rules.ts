/**
 * Rejects invalid replica-reduction annotations on policies, which request reductions, and on bindings, which carry them. Single
 * source of the policy in the API server and of the webhook.
 *
 * Only what a write adds or changes is checked, so that an object from before these rules can be edited.
 */

import type { AdmissionRule, AdmissionRules, MatchedWrites } from '../admission/admission-rules.ts';
import { graceIn, isGrace, literal, matchesGrace, matchesSuppression, notesOf } from './queue-entry.ts';
import {
  DELAY_WORK_DELETION,
  GRACE_PERIOD,
  QUEUE,
  REDUCTION_STRATEGY,
  SUPPRESS_DELETION,
} from './replica-reduction.ts';

const [STRATEGY, GRACE, SUPPRESS] = [literal(REDUCTION_STRATEGY), literal(GRACE_PERIOD), literal(SUPPRESS_DELETION)];

const field = 'metadata.annotations';

/** Whether this write adds or changes the annotation `k`. */
function isNew(k: string): string {
  const before = 'oldObject.metadata.annotations';
  return `(oldObject == null || !has(${before}) || !(${k} in ${before}) || ${before}[${k}] != object.metadata.annotations[${k}])`;
}

const note = (name: string) => `variables.notes[${name}]`;

/** A value for a message; a long one is truncated. */
const shown = (value: string) => `(size(${value}) > 60 ? ${value}.substring(0, 60) + '...' : ${value})`;

const rightGrace = 'write whole seconds from 1 to 2147483647';

const wordRules: readonly AdmissionRule[] = [
  {
    field,
    expression: `!(${STRATEGY} in variables.changed) || ${note(STRATEGY)} == ${literal(DELAY_WORK_DELETION)}`,
    message:
      `'${field}: ${REDUCTION_STRATEGY} is "' + ${shown(note(STRATEGY))} + '"; write ${DELAY_WORK_DELETION}, ` +
      `or take the annotation away to have nothing delayed'`,
  },
  {
    field,
    expression: `!(${GRACE} in variables.changed) || ${isGrace(note(GRACE))}`,
    message:
      `'${field}: ${GRACE_PERIOD} is "' + ${shown(note(GRACE))} + '"; ${rightGrace}, ` +
      `or take the annotation away for the usual time'`,
  },
  {
    field,
    expression: `!(${SUPPRESS} in variables.changed) || ${note(SUPPRESS)} in ['true', 'false']`,
    message:
      `'${field}: ${SUPPRESS_DELETION} is "' + ${shown(note(SUPPRESS))} + '"; write true to wait for a manual release, ` +
      `or false, or take the annotation away'`,
  },
  {
    field,
    expression:
      `!(${GRACE} in variables.changed || ${SUPPRESS} in variables.changed) || ` +
      `!(${GRACE} in variables.notes && ${SUPPRESS} in variables.notes && ${note(SUPPRESS)} == 'true')`,
    message:
      `'${field}: ${GRACE_PERIOD} is "' + ${shown(note(GRACE))} + '" and ${SUPPRESS_DELETION} is "true"; ` +
      `keep one of them: a maximum wait, or a manual release'`,
  },
];

/** The message names the first entry for which this does not hold. */
function everyEntry(expression: (entry: string) => string, description: string): AdmissionRule {
  const wrong = `variables.entries.filter(k, !(${expression(note('k'))}))`;
  return {
    field,
    expression: `size(${wrong}) == 0`,
    message: `'${field}: ' + ${wrong}[0] + ' is ' + ${shown(note(`${wrong}[0]`))} + '; ${description}'`,
  };
}

const entryRules: readonly AdmissionRule[] = [
  everyEntry(
    (entry) => `${entry}.startsWith('{') && ${entry}.endsWith('}')`,
    'write a task as JSON, for example {"replicas":4,"gracePeriodSeconds":600}',
  ),
  everyEntry(
    (entry) => `!(${matchesGrace(entry)} && ${matchesSuppression(entry)})`,
    'it has gracePeriodSeconds and suppressDeletion; keep one of them',
  ),
  everyEntry(
    (entry) => `!${matchesGrace(entry)} || ${isGrace(graceIn(entry))}`,
    `gracePeriodSeconds: ${rightGrace}, or leave it out for the usual time`,
  ),
];

type MatchedKind = Pick<MatchedWrites, 'name' | 'group' | 'version' | 'resources'>;

/** `isOne`: whether the rules apply to the annotation `k`. */
function rulesAbout(about: MatchedKind, isOne: string, rules: readonly AdmissionRule[]): AdmissionRules {
  const changes = `${notesOf('object')}.exists(k, (${isOne}) && ${isNew('k')})`;
  return {
    ...about,
    operations: ['CREATE', 'UPDATE'],
    when: { name: 'words-change', expression: changes },
    variables: [
      { name: 'notes', expression: notesOf('object') },
      { name: 'changed', expression: `variables.notes.filter(k, (${isOne}) && ${isNew('k')})` },
      { name: 'entries', expression: `variables.changed.filter(k, k.startsWith(${literal(QUEUE)}))` },
    ],
    rules,
  };
}

const isWord = `k in [${STRATEGY}, ${GRACE}, ${SUPPRESS}]`;

export const policyReductionRules = rulesAbout(
  {
    name: 'reduction-strategies',
    group: 'policy.karmada.io',
    version: 'v1alpha1',
    resources: ['propagationpolicies', 'clusterpropagationpolicies'],
  },
  isWord,
  wordRules,
);

export const bindingReductionRules = rulesAbout(
  {
    name: 'reduction-queues',
    group: 'work.karmada.io',
    version: 'v1alpha2',
    resources: ['resourcebindings', 'clusterresourcebindings'],
  },
  `${isWord} || k.startsWith(${literal(QUEUE)})`,
  [...wordRules, ...entryRules],
);
