/** A CRD's CEL rules, which the API server evaluates after the schema. For the store. */
import { compileRules } from '../../../shared/admission/evaluate-rules.ts';
import type { KindRule } from '../../../shared/kubernetes/crd-fields.ts';
import type { KubeObject } from './objects.ts';
import type { StatusCause } from './status-error.ts';

/** Evaluates the rules, given the flaws from the schema. */
export type KindRules = (
  object: KubeObject,
  flaws: readonly StatusCause[],
  /** Undefined for a new object. */
  before: KubeObject | undefined,
) => readonly StatusCause[];

/** Schema flaws after which the API server skips the rules. */
const BLOCKING = new Set(
  ['NotSupported', 'Required', 'TooLong', 'TooMany', 'TypeInvalid'].map((reason) => `FieldValue${reason}`),
);
const NOT_CHECKED: StatusCause = {
  reason: 'FieldValueInvalid',
  message:
    'Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
  field: '<nil>',
};

/** Rules over the whole object, named `object`; `transitions` are evaluated on updates only, with `oldObject`. */
export function kindRules(rules: readonly KindRule[], transitions: readonly KindRule[] = []): KindRules {
  const [ofAll, ofUpdates] = [rules, transitions].map((each) => each.map(findingOf)) as [FieldRule[], FieldRule[]];
  return (object, flaws, before) => {
    if (flaws.some(({ reason }) => BLOCKING.has(reason))) return [NOT_CHECKED];
    return [...ofAll, ...(before === undefined ? [] : ofUpdates)].flatMap(({ field, find }) => {
      const { rejection } = find({ object, oldObject: before ?? null });
      if (rejection === undefined) return [];
      return [{ reason: 'FieldValueInvalid', message: `Invalid value: ${rejection}`, field }];
    });
  };
}

interface FieldRule {
  readonly field: string;
  readonly find: ReturnType<typeof compileRules>;
}

function findingOf(rule: KindRule): FieldRule {
  const when = { name: 'always', expression: 'true' };
  return { field: rule.field, find: compileRules({ when, variables: [], rules: [rule] }) };
}
