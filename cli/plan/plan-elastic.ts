/** Plans ElasticWorkloads as the function that balances them does, look after look, as if all that is written got ready: for `evenkeel plan`. */

import type { Condition } from '../../shared/model/condition.ts';
import { balanceReplicas, type Memory } from '../../shared/model/elastic-workload/balance-replicas.ts';
import { clusterWeights } from '../../shared/model/elastic-workload/cluster-weights.ts';
import { conditionsOf } from '../../shared/model/elastic-workload/elastic-conditions.ts';
import { type ElasticWorkload, workName } from '../../shared/model/elastic-workload/elastic-workload.ts';
import { numberAt } from '../../shared/model/elastic-workload/number-at.ts';
import type { View } from '../../shared/model/elastic-workload/sights.ts';
import { type Instant, SECOND } from '../../shared/model/time.ts';
import type { ElasticInput, GivenWork } from './elastic-input.ts';
import { type Carried, type Refused, whyRefused } from './elastic-refusals.ts';

/** Replicas by cluster. */
export type Numbers = Readonly<Record<string, number>>;

export interface ElasticStep {
  /** The numbers that are written, by cluster; 0 where the ManifestWork goes. */
  readonly write: Numbers;
  /** What is waited for before the next: that what grew is ready, or that what shrank is gone. */
  readonly then: 'ready' | 'gone';
}

export interface ElasticPlan {
  readonly elastic: ElasticWorkload;
  readonly current: Numbers;
  readonly desired: Numbers;
  readonly steps: readonly ElasticStep[];
  /** As they stand when the steps are done. */
  readonly conditions: readonly Condition[];
  /** What the input lacks, so that nobody can tell what would happen. */
  readonly lacks?: string;
}

/** A transfer takes three looks; whatever takes more than this would not come to an end. */
const LOOKS = 100;

export function planElastic(input: ElasticInput, now: Instant): readonly ElasticPlan[] {
  return input.workloads.map((elastic) => {
    const found = whyRefused(elastic, input);
    return 'refusal' in found ? refusedPlan(elastic, found) : carriedOut(elastic, { ...found, input, now });
  });
}

function refusedPlan(elastic: ElasticWorkload, { refusal, isLacking }: Refused): ElasticPlan {
  const accepted = { type: 'Accepted', status: 'False', ...refusal } as const;
  const nothing = { elastic, current: {}, desired: {}, steps: [], conditions: [accepted] };
  return isLacking ? { ...nothing, lacks: refusal.message } : nothing;
}

interface Around extends Carried {
  readonly input: ElasticInput;
  readonly now: Instant;
}

function carriedOut(elastic: ElasticWorkload, around: Around): ElasticPlan {
  const { uid, spec } = elastic;
  const { selected, input } = around;
  const weights = clusterWeights(spec.distributionStrategy, selected, input.clusters);
  let views = viewsOf(elastic, around);
  // Empty, and not lost: nothing was learned yet.
  let memory: Memory = { strategy: '', sights: {} };
  const look = (after: number) =>
    balanceReplicas({ uid, spec, views, weights, memory, now: around.now + after * SECOND });
  const current = numbersOf(
    views.flatMap(({ cluster, written }) => (written === undefined ? [] : [[cluster, written]])),
  );
  let balance = look(0);
  const desired = numbersOf([...balance.replicas]);
  const steps: ElasticStep[] = [];
  for (let after = 1; after <= LOOKS; after++) {
    const step = stepOf(views, balance.next);
    if (step === undefined) break;
    steps.push(step);
    views = views.flatMap((view) => carriedBy(view, balance.next.get(view.cluster) ?? 0));
    ({ memory } = balance);
    balance = look(after);
  }
  return { elastic, current, desired, steps, conditions: conditionsOf({ spec, views, weights, balance }) };
}

function viewsOf(elastic: ElasticWorkload, { selected, paths, input, now }: Around): readonly View[] {
  const named = input.works.get(workName(elastic)) ?? [];
  const works = new Map(named.map((given) => [given.work.cluster, given]));
  const chosen = new Set(selected);
  return [...new Set([...selected, ...works.keys()])].sort().map((cluster): View => {
    const reachable = input.clusters.get(cluster)?.available ?? true;
    const given = works.get(cluster);
    const is = { cluster, selected: chosen.has(cluster), reachable };
    if (given === undefined || given.work.deleting) return { ...is, deleting: false, upToDate: true, ready: 0 };
    return { ...is, deleting: false, ...carriedNow(given, { path: paths.specReplicasPath, reachable, now }) };
  });
}

/** One that somebody wrote down without a report is taken to run as it is written, and to have done so for long. */
function carriedNow(
  { work, manifest, isReported }: GivenWork,
  { path, reachable, now }: { readonly path: string; readonly reachable: boolean; readonly now: Instant },
): Pick<View, 'written' | 'writtenAt' | 'upToDate' | 'onSpoke' | 'ready'> {
  const written = work.written ?? numberAt(manifest, path) ?? 0;
  if (!isReported) return { written, writtenAt: 0, upToDate: true, onSpoke: written, ready: reachable ? written : 0 };
  const { writtenAt, upToDate, onSpoke, ready } = work;
  const at = Math.min(writtenAt, now);
  return { written, writtenAt: at, upToDate, ready: reachable ? ready : 0, ...(onSpoke !== undefined && { onSpoke }) };
}

/** Undefined where nothing is left to be written. */
function stepOf(views: readonly View[], next: ReadonlyMap<string, number>): ElasticStep | undefined {
  const changed = views.filter((view) => isWritten(view, next.get(view.cluster) ?? 0));
  if (changed.length === 0) return undefined;
  const grows = changed.some(({ cluster, written = 0 }) => (next.get(cluster) ?? 0) > written);
  return {
    write: numbersOf(changed.map(({ cluster }) => [cluster, next.get(cluster) ?? 0])),
    then: grows ? 'ready' : 'gone',
  };
}

function isWritten({ selected, written }: View, next: number): boolean {
  return written === undefined ? next > 0 || selected : next !== written || (!selected && next === 0);
}

function carriedBy(view: View, next: number): readonly View[] {
  const { cluster, selected, reachable } = view;
  if (!isWritten(view, next)) return reachable ? [{ ...view, ...asWritten(view.written ?? next) }] : [view];
  if (!selected && next === 0) return [];
  return [
    reachable
      ? { ...view, ...asWritten(next) }
      : { cluster, selected, reachable, deleting: false, upToDate: false, written: next, ready: 0 },
  ];
}

function asWritten(written: number): Pick<View, 'written' | 'upToDate' | 'onSpoke' | 'ready'> {
  return { written, upToDate: true, onSpoke: written, ready: written };
}

function numbersOf(entries: readonly (readonly [string, number])[]): Numbers {
  return Object.fromEntries([...entries].sort(([a], [b]) => (a < b ? -1 : 1)));
}
