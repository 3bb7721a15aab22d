import { describe, expect, it } from 'vitest';
import { applyPatch } from '../../../shared/admission/apply-patch.ts';
import { compileMutation, compileRules } from '../../../shared/admission/evaluate-rules.ts';
import { holdRules } from '../../../shared/graceful-reduction/hold-rules.ts';
import { bindingReductionRules, policyReductionRules } from '../../../shared/graceful-reduction/reduction-rules.ts';
import { QUEUE } from '../../../shared/graceful-reduction/replica-reduction.ts';
import { type BindingState, objectOf } from './binding-states.ts';
import { holdWrites, OTHER_USER, OURS } from './hold-cases.ts';
import { entryWrites, type ReductionWrite, wordWrites } from './reduction-cases.ts';

const onPolicy = compileRules(policyReductionRules);
const onBinding = compileRules(bindingReductionRules);

function find(finding: typeof onPolicy, { before, after }: ReductionWrite) {
  const of = (annotations: object) => ({ metadata: { name: 'web', annotations } });
  return finding({ object: of(after), oldObject: before ? of(before) : null });
}

const description = ({ rejection }: ReductionWrite) => ({
  unevaluated: [],
  ...(rejection !== undefined && { rejection }),
});

describe('a policy or a binding with', () => {
  it.each(wordWrites)('$description', (write) => {
    expect([find(onPolicy, write), find(onBinding, write)]).toEqual([description(write), description(write)]);
  });
});

describe('a binding with', () => {
  it.each(entryWrites)('$description', (write) => {
    expect(find(onBinding, write)).toEqual(description(write));
  });

  it.each(entryWrites)('$description is not validated on a policy', (write) => {
    expect(find(onPolicy, write)).toEqual({ unevaluated: [] });
  });
});

describe('the result of the rules for a write', () => {
  const mutate = compileMutation(holdRules(OURS));
  const write = (before: BindingState, after: BindingState, username: string) => {
    const [object, oldObject] = [objectOf(after), objectOf(before)];
    const steps = mutate({ object, oldObject, request: { userInfo: { username } } }) ?? [];
    return { object: applyPatch(object, steps), oldObject };
  };

  it.each(holdWrites)('is not rejected: $description', ({ before, after, by = OTHER_USER }) => {
    const { rejection = '' } = onBinding(write(before, after, by));
    // The word itself may be none.
    expect(rejection.replace(/.*replica-reduction-strategy is "Immediately".*/, '')).toBe('');
  });

  it.each(['"gracePeriodSeconds":0', '"gracePeriodSeconds":"5"', '"gracePeriodSeconds":5,"suppressDeletion":true'])(
    'of an entry with %s is rejected: the mutation does not correct it',
    (gracePeriod) => {
      const held = holdWrites.find(({ description: what }) =>
        what.startsWith('a label changes while something is kept'),
      )?.before;
      if (held === undefined) throw new Error('the table has no binding that is held');
      const notes = { ...held.notes, [`${QUEUE}m1`]: `{"replicas":4,${gracePeriod}}` };
      expect(onBinding(write(held, { ...held, notes }, OTHER_USER)).rejection).toContain(
        'metadata.annotations: replica-reduction-queue.evenkeel.dev/m1 is {"replicas":4',
      );
    },
  );
});
