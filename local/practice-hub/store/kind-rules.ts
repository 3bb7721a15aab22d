/** A CRD's rules beside its schema: CEL that the API server evaluates once the schema holds. For the store. */
import { compileRules } from '../../../shared/model/admission/evaluate-rules.ts';
import type { KindRule } from '../../../shared/model/crd-fields.ts';
import type { KubeObject } from './objects.ts';
import type { StatusCause } from './status-error.ts';

/** What the rules find wrong with an object, given what its schema found. */
export type KindRules = (object: KubeObject, flaws: readonly StatusCause[]) => readonly StatusCause[];

/** Flaws that a rule would stumble over, so that none is evaluated. */
const BLOCKING = new Set(
  ['NotSupported', 'Required', 'TooLong', 'TooMany', 'TypeInvalid'].map((reason) => `FieldValue${reason}`),
);
const NOT_CHECKED: StatusCause = {
  reason: 'FieldValueInvalid',
  message:
    'Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
  field: '<nil>',
};

/** Rules over the whole object, which they call `object`. */
export function kindRules(rules: readonly KindRule[]): KindRules {
  const always = { name: 'always', expression: 'true' };
  const findings = rules.map((rule) => ({
    field: rule.field,
    find: compileRules({ when: always, variables: [], rules: [rule] }),
  }));
  return (object, flaws) => {
    if (flaws.some(({ reason }) => BLOCKING.has(reason))) return [NOT_CHECKED];
    return findings.flatMap(({ field, find }) => {
      const { refusal } = find({ object, oldObject: null });
      if (refusal === undefined) return [];
      return [{ reason: 'FieldValueInvalid', message: `Invalid value: ${refusal}`, field }];
    });
  };
}
