import { describe, expect, it } from 'vitest';
import { hubView, worstFirst } from '../../../functions/console-api/health-view.ts';
import type { HubSummary } from '../../../shared/console-api/operations/hubs.ts';
import type { ReachState } from '../../../shared/kubernetes/hub-reach.ts';
import type { HubRecord } from '../../../shared/kubernetes/hub-registry.ts';

const pause = { since: Date.parse('2026-11-21T10:00:00Z'), reason: '' };
const comparedAt = pause.since;
const hub = (name: string, state: ReachState, over: Partial<HubRecord> = {}): HubSummary => {
  const callers = { tokenDigests: [], reviewKeyDigests: [], subjects: [] };
  const fixed = { server: '', features: [], revision: 1, account: undefined, callers, pause: undefined };
  return hubView({ record: { name, state: 'Active', ...fixed, ...over }, reach: { state, comparedAt } });
};

describe('hubs in a list', () => {
  it('are unreachable, not compared, being removed, paused, then reachable ones, each by name', () => {
    const hubs = [
      hub('b-fine', 'Reachable'),
      hub('a-fine', 'Reachable'),
      hub('paused', 'NotCompared', { pause }),
      hub('leaving', 'Unreachable', { state: 'Removing' }),
      hub('silent', 'NotCompared'),
      hub('b-away', 'Unreachable', { pause }),
      hub('a-away', 'Unreachable'),
    ];
    const names = ['a-away', 'b-away', 'silent', 'leaving', 'paused', 'a-fine', 'b-fine'];
    expect(worstFirst(hubs).map(({ name }) => name)).toEqual(names);
    expect(worstFirst([...hubs].reverse()).map(({ name }) => name)).toEqual(names);
  });
});
