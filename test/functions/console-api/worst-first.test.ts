import { describe, expect, it } from 'vitest';
import { worstFirst } from '../../../functions/console-api/health-view.ts';
import type { HubSummary } from '../../../shared/console-api/operations/hubs.ts';

const paused = { since: '2026-11-21T10:00:00Z', reason: '' };
const hub = (name: string, state: string, over: Partial<HubSummary> = {}): HubSummary => {
  return { name, state: 'Active', server: '', features: [], revision: 1, reach: { state }, ...over };
};

describe('hubs in a list', () => {
  it('are unreachable, not compared, being removed, paused, then reachable ones, each by name', () => {
    const hubs = [
      hub('b-fine', 'Reachable'),
      hub('a-fine', 'Reachable'),
      hub('paused', 'NotCompared', { paused }),
      hub('leaving', 'Unreachable', { state: 'Removing' }),
      hub('silent', 'NotCompared'),
      hub('b-away', 'Unreachable', { paused }),
      hub('a-away', 'Unreachable'),
    ];
    const names = ['a-away', 'b-away', 'silent', 'leaving', 'paused', 'a-fine', 'b-fine'];
    expect(worstFirst(hubs).map(({ name }) => name)).toEqual(names);
    expect(worstFirst([...hubs].reverse()).map(({ name }) => name)).toEqual(names);
  });
});
