import { describe, expect, it } from 'vitest';
import { compileRules } from '../../../../shared/model/admission/evaluate-rules.ts';
import { waveRules } from '../../../../shared/model/admission/wave-rules.ts';
import { OURS, SOMEBODY, waveWrites } from './wave-cases.ts';

const finding = compileRules(waveRules(OURS));

function object(state: (typeof waveWrites)[number]['after'] | undefined) {
  if (state === undefined) return null;
  const { spec, ...metadata } = state;
  return { metadata: { name: 'r', ...metadata }, spec };
}

describe('a wave of a policy', () => {
  it.each(waveWrites)('$says', ({ by, before, after, refusal }) => {
    const request = { userInfo: { username: by } };
    const found = finding({ object: object(after), oldObject: object(before), request });
    expect(found).toEqual({ unevaluated: [], ...(refusal !== undefined && { refusal }) });
  });

  it('is written by whom nobody names: rules that cannot be evaluated refuse nothing', () => {
    const { after } = waveWrites.find(({ refusal }) => refusal !== undefined) ?? {};
    expect(finding({ object: object(after), oldObject: null })).toEqual({ unevaluated: ['metadata.labels'] });
  });

  it('of an account whose name has quotes is still nobody else’s', () => {
    const odd = `o'malley "the" \\ ${SOMEBODY}`;
    const { after } = waveWrites.find(({ says }) => says === 'we make a wave') ?? {};
    const of = (username: string) =>
      compileRules(waveRules(odd))({ object: object(after), oldObject: null, request: { userInfo: { username } } });
    expect(of(odd)).toEqual({ unevaluated: [] });
    expect(of(SOMEBODY).refusal).toContain('may not set, change or remove');
  });
});
