import { describe, expect, it } from 'vitest';
import { compileRules } from '../../../shared/admission/evaluate-rules.ts';
import { waveRules } from '../../../shared/rebalance-policy/wave-rules.ts';
import { OTHER_USER, OURS, waveWrites } from './wave-cases.ts';

const finding = compileRules(waveRules(OURS));

function object(state: (typeof waveWrites)[number]['after'] | undefined) {
  if (state === undefined) return null;
  const { spec, ...metadata } = state;
  return { metadata: { name: 'r', ...metadata }, spec };
}

describe('a wave of a policy', () => {
  it.each(waveWrites)('$description', ({ by, before, after, rejection }) => {
    const request = { userInfo: { username: by } };
    const found = finding({ object: object(after), oldObject: object(before), request });
    expect(found).toEqual({ unevaluated: [], ...(rejection !== undefined && { rejection }) });
  });

  it('is accepted if the request has no user name: rules that cannot be evaluated reject nothing', () => {
    const { after } = waveWrites.find(({ rejection }) => rejection !== undefined) ?? {};
    expect(finding({ object: object(after), oldObject: null })).toEqual({ unevaluated: ['metadata.labels'] });
  });

  it('from an account with quotes in its name is still treated as a write of another user', () => {
    const odd = `o'malley "the" \\ ${OTHER_USER}`;
    const { after } = waveWrites.find(({ description }) => description === 'we make a wave') ?? {};
    const of = (username: string) =>
      compileRules(waveRules(odd))({ object: object(after), oldObject: null, request: { userInfo: { username } } });
    expect(of(odd)).toEqual({ unevaluated: [] });
    expect(of(OTHER_USER).rejection).toContain('may not set, change or remove');
  });
});
