/** Once the hub is calm, each event with the action Rebalance has started one run of its policy: docs/guides/external-events.md. */
import type { Trigger } from '../../../../shared/rebalance-policy/policy-run.ts';
import { readRuns } from '../../../../shared/rebalance-policy/read-run.ts';
import { HUB } from '../../system/only-hub.ts';
import type { System } from '../../system/system.ts';
import { memberNames } from '../fleet/parts.ts';
import type { ScenarioContext } from '../scenario.ts';
import { type Claim, mayActUntil, mustAct } from './incidents.ts';
import type { KnownPolicies, PolicyHistory, PolicyVersion } from './known-policies.ts';

const SECOND = 1000;
/** An event that arrived so long before a policy was created may be handled after that. */
const HANDLED_MS = 60 * 60 * SECOND;
const CALM_MS = 20 * 60 * SECOND;

export async function checkRuns(system: System, known: KnownPolicies, { violations }: ScenarioContext): Promise<void> {
  if (system.tablesLost > 0) return;
  const { policies, clock } = system;
  const now = clock.now();
  const runs = await readRuns(policies, HUB, 1000);
  for (const [uid, policy] of known.byUid) {
    const started = runs.filter((each) => each.uid === uid && each.run.triggers.some(isOfEvent));
    const begins = beginsFor(known, policy, now);
    if (started.length > begins)
      violations.add('no event starts two runs', `${policy.name}: ${started.length} runs for ${begins} events`);
    const must = unstarted(known, policy, now);
    if (must.length > 0 && started.length === 0)
      violations.add('every event of a policy leads to its run', `${policy.name}: ${JSON.stringify(must)}`);
  }
}

/** How many begins of incidents the policy may have acted on. */
function beginsFor(known: KnownPolicies, { createdAt, versions }: PolicyHistory, now: number): number {
  const all = { from: 0, to: now };
  const claims = rebalancing(known, versions.during(0, now), all);
  const may = claims.filter((claim) => mayActUntil(claim, { ...all, handledMs: HANDLED_MS }) !== undefined);
  const reports = may.flatMap(({ incident }) => incident.reports);
  return new Set(reports.filter(({ isEnd, arrivedAt }) => !isEnd && arrivedAt + HANDLED_MS >= createdAt)).size;
}

/** What the policy must have acted on. */
function unstarted(known: KnownPolicies, { createdAt, versions }: PolicyHistory, now: number): readonly Claim[] {
  const { since = now, value } = versions.last ?? {};
  const knownAt = now - CALM_MS;
  if (value === undefined || value.isSuspended || since > knownAt) return [];
  const isNew = ({ incident }: Claim) => incident.reports.every(({ arrivedAt }) => arrivedAt > createdAt + SECOND);
  return rebalancing(known, [value], { from: now, to: now }).filter(
    (claim) => isNew(claim) && mustAct(claim, knownAt, now),
  );
}

function rebalancing(
  known: KnownPolicies,
  versions: readonly (PolicyVersion | undefined)[],
  window: { readonly from: number; readonly to: number },
): readonly Claim[] {
  const claims = memberNames.flatMap((member) => known.claims(versions, member, window));
  return claims.filter(({ entry }) => entry.action === 'Rebalance');
}

function isOfEvent({ type }: Trigger): boolean {
  return type === 'ExternalEvent';
}
