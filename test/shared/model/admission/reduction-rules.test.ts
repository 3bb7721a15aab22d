import { describe, expect, it } from 'vitest';
import { applyPatch } from '../../../../shared/model/admission/apply-patch.ts';
import { compileMutation, compileRules } from '../../../../shared/model/admission/evaluate-rules.ts';
import { holdRules } from '../../../../shared/model/admission/hold-rules.ts';
import { bindingReductionRules, policyReductionRules } from '../../../../shared/model/admission/reduction-rules.ts';
import { QUEUE } from '../../../../shared/model/graceful-reduction/replica-reduction.ts';
import { type BindingState, objectOf } from './binding-states.ts';
import { holdWrites, OURS, SOMEBODY } from './hold-cases.ts';
import { entryWrites, type ReductionWrite, wordWrites } from './reduction-cases.ts';

const onPolicy = compileRules(policyReductionRules);
const onBinding = compileRules(bindingReductionRules);

function find(finding: typeof onPolicy, { before, after }: ReductionWrite) {
  const of = (annotations: object) => ({ metadata: { name: 'web', annotations } });
  return finding({ object: of(after), oldObject: before ? of(before) : null });
}

const says = ({ refusal }: ReductionWrite) => ({ unevaluated: [], ...(refusal !== undefined && { refusal }) });

describe('a policy or a binding with', () => {
  it.each(wordWrites)('$says', (write) => {
    expect([find(onPolicy, write), find(onBinding, write)]).toEqual([says(write), says(write)]);
  });
});

describe('a binding with', () => {
  it.each(entryWrites)('$says', (write) => {
    expect(find(onBinding, write)).toEqual(says(write));
  });

  it.each(entryWrites)('$says is of no concern on a policy', (write) => {
    expect(find(onPolicy, write)).toEqual({ unevaluated: [] });
  });
});

describe('what the rules make of a write', () => {
  const mutate = compileMutation(holdRules(OURS));
  const write = (before: BindingState, after: BindingState, username: string) => {
    const [object, oldObject] = [objectOf(after), objectOf(before)];
    const steps = mutate({ object, oldObject, request: { userInfo: { username } } }) ?? [];
    return { object: applyPatch(object, steps), oldObject };
  };

  it.each(holdWrites)('is not refused: $says', ({ before, after, by = SOMEBODY }) => {
    const { refusal = '' } = onBinding(write(before, after, by));
    // The word itself may be none.
    expect(refusal.replace(/.*replica-reduction-strategy is "Immediately".*/, '')).toBe('');
  });

  it.each(['"gracePeriodSeconds":0', '"gracePeriodSeconds":"5"', '"gracePeriodSeconds":5,"suppressDeletion":true'])(
    'of an entry with %s is refused: it does not make it good',
    (patience) => {
      const held = holdWrites.find(({ says: what }) =>
        what.startsWith('a label changes while something is kept'),
      )?.before;
      if (held === undefined) throw new Error('the table has no binding that is held');
      const notes = { ...held.notes, [`${QUEUE}m1`]: `{"replicas":4,${patience}}` };
      expect(onBinding(write(held, { ...held, notes }, SOMEBODY)).refusal).toContain(
        'metadata.annotations: replica-reduction-queue.evenkeel.dev/m1 is {"replicas":4',
      );
    },
  );
});
