import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { eventOfChange, watchedKinds, watchedVerbs } from '../../shared/events/watched-kinds.ts';

interface Rule {
  readonly level: string;
  readonly verbs?: readonly string[];
  readonly resources?: readonly { readonly group: string; readonly resources: readonly string[] }[];
}

const policy = parse(readFileSync('examples/audit-policy.yaml', 'utf8')) as { omitStages: string[]; rules: Rule[] };

describe('the shipped audit policy', () => {
  const [watched, rest, ...others] = policy.rules;

  it('has the changes of every watched kind reported, and of no other', () => {
    const reported = watched?.resources?.flatMap(({ group, resources }) => resources.map((name) => `${group}/${name}`));
    expect(reported?.toSorted()).toEqual(watchedKinds.map(({ group, resource }) => `${group}/${resource}`).toSorted());
    expect(watched?.verbs?.toSorted()).toEqual([...watchedVerbs].toSorted());
  });

  it('has keys reported, once, and nothing of the rest', () => {
    expect([watched?.level, rest, others]).toEqual(['Metadata', { level: 'None' }, []]);
    expect(policy.omitStages).toEqual(['RequestReceived']);
  });
});

describe('a change', () => {
  const kind = { group: 'apps.karmada.io', resource: 'workloadrebalancers' };

  it('of a watched kind is said by name', () => {
    expect(eventOfChange('edge', { ...kind, name: 'a.b-1' })).toEqual({
      type: 'WorkloadRebalancerChanged',
      detail: { hub: 'edge', name: 'a.b-1', version: 1 },
    });
  });

  it.each([[undefined], ['']])('without a name (%j) is a resync', (name) => {
    expect(eventOfChange('edge', { ...kind, name })).toEqual({
      type: 'ResyncDue',
      detail: { hub: 'edge', version: 1 },
    });
  });

  it.each([
    [{ group: 'apps', resource: 'workloadrebalancers', name: 'a' }],
    [{ group: 'apps.karmada.io', resource: 'deployments', name: 'a' }],
    [{ group: '__proto__', resource: 'constructor', name: 'a' }],
  ])('of another kind is none: %j', (change) => {
    expect(eventOfChange('edge', change)).toBe(undefined);
  });

  it.each(['a/b', '..', '.', 'a..b', '-a', 'a-', 'A', 'a b', 'a\0', 'ä', '名', '%2e', 'a\n', 'x'.repeat(254)])(
    'of %j is none, for no hub has an object of that name',
    (name) => {
      expect(eventOfChange('edge', { ...kind, name })).toBe(undefined);
    },
  );

  it('of a name of 253 characters is one', () => {
    expect(eventOfChange('edge', { ...kind, name: 'x'.repeat(253) })?.detail.name).toBe('x'.repeat(253));
  });
});
