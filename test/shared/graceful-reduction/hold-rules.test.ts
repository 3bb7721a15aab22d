import { describe, expect, it } from 'vitest';
import { applyPatch } from '../../../shared/admission/apply-patch.ts';
import { compileMutation } from '../../../shared/admission/evaluate-rules.ts';
import { holdRules } from '../../../shared/graceful-reduction/hold-rules.ts';
import { objectOf, stateOf } from './binding-states.ts';
import { holdWrites, OTHER_USER, OURS } from './hold-cases.ts';

const mutate = compileMutation(holdRules(OURS));

function write(before: object, after: object, by: string = OTHER_USER) {
  const steps = mutate({ object: after, oldObject: before, request: { userInfo: { username: by } } });
  if (steps === undefined) throw new Error('the rules could not be evaluated');
  return { steps, stored: applyPatch(after, steps) as ReturnType<typeof objectOf> };
}

describe('a binding after a write:', () => {
  it.each(holdWrites)('$description', ({ before, after, stored = after, by }) => {
    const result = write(objectOf(before), objectOf(after), by);
    expect(stateOf(result.stored)).toEqual(stateOf(objectOf(stored)));
  });

  it.each(holdWrites)('$description: the rules leave their own result unchanged', ({ before, after, by }) => {
    const once = write(objectOf(before), objectOf(after), by).stored;
    expect(write(objectOf(before), once, by).steps).toEqual([]);
    expect(write(once, once).steps).toEqual([]);
  });
});
