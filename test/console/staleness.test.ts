/** What a page can't vouch for; expected by which cause makes the others unknown. */
import { describe, expect, it } from 'vitest';
import { type PageFacts, stalenessOf } from '../../console/staleness.ts';
import type { HubSummary } from '../../shared/console-api/operations/hubs.ts';

const hub = (name: string, state: string): HubSummary => ({
  ...{ name, state: 'Active', server: '', features: [], revision: 1, findings: [] },
  reach: { state, message: 'no response', comparedAt: '2026-11-21T10:00:00Z' },
});
const page = (over: Partial<PageFacts> = {}): PageFacts => ({
  ...{ loggedOut: false, connection: { lost: false, receivedAt: 500 }, hubs: [hub('eu', 'Reachable')], ofOneHub: true },
  ...{ awaySince: new Map(), failing: [] },
  ...over,
});
const away = { hubs: [hub('eu', 'Unreachable')], awaySince: new Map([['eu', 700]]) };
const failing = [
  { since: 900, message: 'later' },
  { since: 800, message: 'first' },
];
const lost = { lost: true, receivedAt: 500 };

describe('a page', () => {
  it('is not stale while the API and its hub answer, also if the hub is not compared', () => {
    expect(stalenessOf(page())).toBe(undefined);
    expect(stalenessOf(page({ hubs: [hub('eu', 'NotCompared')] }))).toBe(undefined);
    expect(stalenessOf(page({ hubs: [] }))).toBe(undefined);
  });

  it('reports a session that is over before a lost connection, that before a hub, and a hub before a query', () => {
    const codes = [{ loggedOut: true }, {}].flatMap((login) =>
      [{ connection: lost }, {}].map(
        (connection) => stalenessOf(page({ ...away, failing, ...login, ...connection }))?.code,
      ),
    );
    expect(codes).toEqual(['LoggedOut', 'LoggedOut', 'NotConnected', 'HubUnreachable']);
    expect(stalenessOf(page({ failing }))).toMatchObject({
      code: 'QueryFails',
      since: 800,
      detail: 'first',
      greys: 'parts',
    });
  });

  it('has no age while it received nothing', () => {
    expect(stalenessOf(page({ connection: { lost: true, receivedAt: 0 } }))).not.toHaveProperty('since');
    expect(stalenessOf(page({ connection: lost }))).toMatchObject({ since: 500, greys: 'page' });
  });

  it('of one hub greys what the hub reports, and one of all hubs only their rows', () => {
    expect(stalenessOf(page(away))).toEqual({
      ...{ code: 'HubUnreachable', text: 'Hub eu cannot be reached.', greys: 'hub' },
      ...{ since: 700, detail: 'no response', comparedAt: '2026-11-21T10:00:00Z' },
    });
    const hubs = [hub('ap', 'Reachable'), ...['eu', 'us', 'sa'].map((name) => hub(name, 'Unreachable'))];
    expect(stalenessOf(page({ hubs, ofOneHub: false }))).toMatchObject({
      ...{ text: 'Hub eu and 2 other hubs cannot be reached.', greys: 'parts' },
    });
  });
});
