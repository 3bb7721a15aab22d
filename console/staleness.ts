/** Decides what a page can't vouch for, and since when: the first of these that is the case. */
import type { HubSummary } from '../shared/console-api/operations/hubs.ts';
import { plural } from './format.ts';

/** A query on the screen whose requests fail, while its last response is shown. */
export interface FailingQuery {
  readonly since: number;
  readonly message: string;
}

export interface PageFacts {
  readonly loggedOut: boolean;
  readonly connection: { readonly lost: boolean; readonly receivedAt: number };
  /** The page's hub; on a page of all hubs, each of them. */
  readonly hubs: readonly HubSummary[];
  /** Whether the page is about one hub. */
  readonly ofOneHub: boolean;
  /** When this page first observed that a hub does not answer; absent if it never did answer on this page. */
  readonly awaySince: ReadonlyMap<string, number>;
  readonly failing: readonly FailingQuery[];
}

export interface Staleness {
  readonly code: 'LoggedOut' | 'NotConnected' | 'HubUnreachable' | 'QueryFails';
  /** Without ages, because screen readers announce each change. */
  readonly text: string;
  /** The data is from before this time, if it is known. */
  readonly since?: number;
  readonly detail?: string;
  /** The last resync of the hub. */
  readonly comparedAt?: string;
  /** What is grey: the whole page, what the hub reports, or what marks itself. */
  readonly greys: 'page' | 'hub' | 'parts';
}

export function stalenessOf(facts: PageFacts): Staleness | undefined {
  const { loggedOut, connection } = facts;
  if (loggedOut) return { code: 'LoggedOut', text: 'You are logged out.', greys: 'page', ...sinceOf(connection) };
  if (connection.lost)
    return { code: 'NotConnected', text: 'Not connected, trying again.', greys: 'page', ...sinceOf(connection) };
  return unreachable(facts) ?? failing(facts.failing);
}

function sinceOf({ receivedAt }: PageFacts['connection']): Pick<Staleness, 'since'> {
  return receivedAt === 0 ? {} : { since: receivedAt };
}

function unreachable({ hubs, ofOneHub, awaySince }: PageFacts): Staleness | undefined {
  const away = hubs.filter(({ reach }) => reach.state === 'Unreachable');
  const [first] = away;
  if (first === undefined) return undefined;
  const since = awaySince.get(first.name);
  const { message, comparedAt } = first.reach;
  const others = away.length - 1;
  const text =
    others === 0
      ? `Hub ${first.name} cannot be reached.`
      : `Hub ${first.name} and ${plural(others, 'other hub')} cannot be reached.`;
  return {
    code: 'HubUnreachable',
    text,
    greys: ofOneHub ? 'hub' : 'parts',
    ...(since !== undefined && { since }),
    ...(message !== undefined && { detail: message }),
    ...(comparedAt !== undefined && { comparedAt }),
  };
}

function failing(queries: readonly FailingQuery[]): Staleness | undefined {
  const first = queries.toSorted((a, b) => a.since - b.since)[0];
  if (first === undefined) return undefined;
  const text = 'A part of this page cannot be read.';
  return { code: 'QueryFails', text, since: first.since, detail: first.message, greys: 'parts' };
}
