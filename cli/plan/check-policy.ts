/** Says what is wrong with a RebalancePolicy before a hub has seen it: all that its schema, its rules and its calendars find. */
import { compileRules } from '../../shared/model/admission/evaluate-rules.ts';
import { Fault } from '../../shared/model/fault.ts';
import { policyNameRule } from '../../shared/model/rebalance-policy/policy-crd.ts';
import { policyRules } from '../../shared/model/rebalance-policy/policy-schema.ts';
import {
  parseRebalancePolicy,
  problemsOf,
  type RebalancePolicy,
} from '../../shared/model/rebalance-policy/rebalance-policy.ts';
import { count } from '../../shared/model/words.ts';
import { type Issue, issueWrong, show, valueAt, type Wrong } from './check-object.ts';

type Checked = { readonly policy: RebalancePolicy } | { readonly wrong: readonly Wrong[] };

const always = { name: 'always', expression: 'true' };
const rules = [policyNameRule('object'), ...policyRules('object.spec')].map((rule) => ({
  field: rule.field,
  find: compileRules({ when: always, variables: [], rules: [rule] }),
}));

export function checkPolicy(object: object): Checked {
  const parsed = parse(object);
  // Of one field the last says most: what is too short to be a cron has not its five fields either.
  if ('issues' in parsed) {
    const ofField = new Map(parsed.issues.map((issue) => [issue.path.join('.'), policyIssue(issue, object)]));
    return { wrong: [...ofField.values()] };
  }
  const { policy } = parsed;
  const refused = rules.flatMap(({ field, find }) => {
    const { refusal } = find({ object, oldObject: null });
    return refusal === undefined ? [] : [{ path: field.split('.'), what: withoutField(refusal) }];
  });
  const wrong = [
    ...unknownFields(specOf(object), policy.spec, ['spec']),
    ...refused,
    ...problemsOf(policy).map((problem) => ({ path: pathOf(problem), what: withoutField(problem) })),
  ];
  return wrong.length > 0 ? { wrong } : { policy };
}

function parse(object: object): { readonly policy: RebalancePolicy } | { readonly issues: readonly Issue[] } {
  try {
    return { policy: parseRebalancePolicy(object) };
  } catch (thrown) {
    const cause = thrown instanceof Fault ? (thrown.cause as { issues?: readonly Issue[] } | undefined) : undefined;
    if (cause?.issues === undefined) throw thrown;
    return { issues: cause.issues };
  }
}

/** What the schema's checks of a policy's own fields find; the rest as of any object. */
function policyIssue(issue: Issue, object: object): Wrong {
  const { path, code, values, minimum = 0, maximum = 0, origin } = issue;
  const value = valueAt(object, path);
  if (value === undefined) return issueWrong(issue, object);
  const said = show(value);
  const what = origin === 'string' ? 'character' : 'item';
  const least = origin === 'number' ? `${minimum} or more` : `at least ${count(minimum, what)}`;
  const most = origin === 'number' ? `${maximum} or less` : `at most ${count(maximum, what)}`;
  switch (code) {
    case 'invalid_value':
      return { path, what: `${said} is none of ${(values ?? []).join(', ')}; write one of them` };
    case 'too_small':
      return { path, what: `${said} is too little; write ${least}` };
    case 'too_big':
      return { path, what: `${said} is too much; write ${most}` };
    case 'invalid_format':
      return { path, what: `${said} is not ${formatOf(path)}` };
    default:
      return issueWrong(issue, object);
  }
}

function formatOf(path: readonly PropertyKey[]): string {
  if (path.at(-1) === 'cron')
    return 'five fields; write minute, hour, day of month, month and day of week, for example "0 3 * * *"';
  return 'a duration; write one like 30s, 5m or 1h30m';
}

/** Fields that the schema does not know: kubectl refuses them, and a hub drops them without a word. */
function unknownFields(raw: unknown, read: unknown, path: readonly PropertyKey[]): readonly Wrong[] {
  if (typeof raw !== 'object' || raw === null || typeof read !== 'object' || read === null) return [];
  return Object.entries(raw).flatMap(([name, value]) => {
    const at = [...path, name];
    if (Object.hasOwn(read, name)) return unknownFields(value, (read as Record<string, unknown>)[name], at);
    const known = `kubectl explain rebalancepolicies.${path.filter((step) => !/^\d+$/.test(String(step))).join('.')}`;
    return [{ path: at, what: `is no field of a RebalancePolicy; take it out, or see "${known}"` }];
  });
}

function specOf(object: object): unknown {
  return (object as { spec?: unknown }).spec;
}

/** A finding begins with its field: "spec.triggers.schedule.cron is …", "spec.strategy.order: label …". */
function pathOf(finding: string): readonly PropertyKey[] {
  const [field = ''] = finding.split(/:? /);
  return field.split(/[.[\]]+/).filter((step) => step !== '');
}

function withoutField(finding: string): string {
  return finding.replace(/^\S+ /, '');
}
