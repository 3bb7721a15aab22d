import { describe, expect, it } from 'vitest';
import { compileRules } from '../../../../shared/model/admission/evaluate-rules.ts';
import { policyNameRule, policyOpenApi } from '../../../../shared/model/rebalance-policy/policy-crd.ts';
import { policyRules } from '../../../../shared/model/rebalance-policy/policy-schema.ts';
import { parseRebalancePolicy } from '../../../../shared/model/rebalance-policy/rebalance-policy.ts';
import { type Schema, unbounded } from '../crd-bounds.ts';
import { refused, taken } from './policy-cases.ts';

const metadata = {
  name: 'p',
  uid: 'u',
  resourceVersion: '1',
  generation: 1,
  creationTimestamp: '2026-01-01T00:00:00Z',
};
const rules = policyRules('object.spec');

function brokenRules(spec: object): readonly string[] {
  const when = { name: 'always', expression: 'true' };
  return rules.flatMap((rule) => {
    const find = compileRules({ when, variables: [], rules: [rule] });
    return find({ object: { spec }, oldObject: null }).refusal ?? [];
  });
}

function parses(spec: object): boolean {
  try {
    parseRebalancePolicy({ metadata, spec });
    return true;
  } catch {
    return false;
  }
}

describe('the spec of a RebalancePolicy', () => {
  it.each(taken)('is read with $says as a hub stores it, and breaks no rule', ({ spec, stored }) => {
    expect(parseRebalancePolicy({ metadata, spec }).spec).toEqual(stored);
    expect(brokenRules(stored)).toEqual([]);
  });

  it.each(refused)('with $says does not parse, or breaks a rule', ({ spec }) => {
    expect([parses(spec), brokenRules(spec)]).not.toEqual([true, []]);
  });

  it('has a bound for every list and text, or an API server refuses the rules for what they might cost', () => {
    const { spec } = policyOpenApi.properties as { spec: Schema };
    expect(unbounded('spec', spec)).toEqual([]);
  });

  it('may be called by a name of 42 characters and no more', () => {
    const rule = policyNameRule('object');
    const find = compileRules({ when: { name: 'always', expression: 'true' }, variables: [], rules: [rule] });
    const refusal = (name: string) => find({ object: { metadata: { name } }, oldObject: null }).refusal;
    expect(refusal('x'.repeat(42))).toBeUndefined();
    expect(refusal('come-home-'.padEnd(43, 'x'))).toBe(
      `metadata.name is come-home-${'x'.repeat(33)}; give it a name of at most 42 characters, for the names of its waves begin with it`,
    );
  });
});
