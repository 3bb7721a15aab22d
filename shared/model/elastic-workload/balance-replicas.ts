/** Decides for one ElasticWorkload what number each cluster is to have now: what is wanted, what of it may be written in this step, and what is to be remembered. */
import { digest } from '../digest.ts';
import { sum } from '../sum.ts';
import { type Instant, SECOND } from '../time.ts';
import { type Candidate, type Desired, desiredReplicas } from './desired-replicas.ts';
import type { ElasticSpec } from './elastic-workload-schema.ts';
import { limitsOf } from './limits.ts';
import { type Place, planTransfer, type Step } from './plan-transfer.ts';
import { putBacks } from './put-back.ts';
import { afterWrite, type Looking, look, lookAgainAt, type Sight, type View } from './sights.ts';

export interface Memory {
  /** Names the strategies that it was gathered under. */
  readonly strategy: string;
  readonly sights: Readonly<Record<string, Sight>>;
  /** When the next look was asked for. */
  readonly dueAt?: Instant;
}

export interface BalanceQuestion {
  readonly uid: string;
  readonly spec: ElasticSpec;
  /** Every cluster that the PlacementDecision names, or where a ManifestWork of ours is. */
  readonly views: readonly View[];
  /** By cluster, for those that are selected. */
  readonly weights: ReadonlyMap<string, number>;
  /** Undefined where nothing is kept, or it was lost. */
  readonly memory: Memory | undefined;
  readonly now: Instant;
}

export interface Balance extends Desired, Step {
  readonly memory: Omit<Memory, 'dueAt'>;
  /** Where another number stands than is written and may stay: it is written anew. */
  readonly putBack: ReadonlySet<string>;
  /** When time alone will change something; infinite where it won't. */
  readonly lookAt: Instant;
  /** What is there of each cluster now. */
  readonly sights: ReadonlyMap<string, Sight>;
}

export function balanceReplicas(question: BalanceQuestion): Balance {
  const { uid, spec, views, now } = question;
  const { distributionStrategy, balanceStrategy } = spec;
  const limits = limitsOf(balanceStrategy);
  const lends = limits.tiers.length > 0;
  const looking = { now, hesitationMs: lends ? balanceStrategy.hesitationSeconds * 1000 : Number.POSITIVE_INFINITY };
  const strategy = strategyOf(spec);
  const seen = lookAtAll(question, looking, strategy);
  const ask = (sights: ReadonlyMap<string, Sight>) =>
    desiredReplicas({
      uid,
      total: distributionStrategy.totalReplicas,
      limits,
      candidates: candidatesOf(question, sights),
    });
  const first = ask(seen);
  const sights = withoutNeedlessPins(seen, first);
  const desired = sights === seen ? first : ask(sights);
  const places = views.map((view) => placeOf(view, desired, seenOf(view, sights, question.memory)));
  const step = planTransfer(balanceStrategy.transfer, places, uid);
  const after = views.flatMap((view): [string, Sight][] => {
    const sight = sights.get(view.cluster);
    const next = step.next.get(view.cluster) ?? 0;
    return sight === undefined ? [] : [[view.cluster, afterWrite(sight, { next, ...reportOf(view) }, now)]];
  });
  const { putBack, later } = putBacks(views, step.next, { lends, now });
  // What was given a moment ago is seen in a second, or was never written.
  const isUnseen = step.waiting > 0 && views.some((view) => unseen(view, question.memory) !== undefined);
  const times = after.map(([, sight]) => lookAgainAt(sight, looking));
  const lookAt = Math.min(...times, later, isUnseen ? now + SECOND : Number.POSITIVE_INFINITY);
  return { ...desired, ...step, sights, memory: { strategy, sights: Object.fromEntries(after) }, putBack, lookAt };
}

function reportOf({ ready, onSpoke }: View): { readonly ready: number; readonly onSpoke?: number } {
  return { ready, ...(onSpoke !== undefined && { onSpoke }) };
}

/** An edit of it is a new wish for every cluster, those that were scaled by hand among them. */
function strategyOf({ distributionStrategy, balanceStrategy }: ElasticSpec): string {
  return digest(JSON.stringify([distributionStrategy, balanceStrategy]));
}

function lookAtAll(question: BalanceQuestion, looking: Looking, strategy: string): ReadonlyMap<string, Sight> {
  const { views, memory } = question;
  const lost = memory === undefined ? foundAgain(question, looking) : new Map<string, Sight>();
  const isSame = memory?.strategy === strategy;
  return new Map(
    views.map((view) => {
      const kept = memory?.sights[view.cluster] ?? lost.get(view.cluster);
      return [view.cluster, look(kept && (isSame || memory === undefined ? kept : withoutPin(kept)), view, looking)];
    }),
  );
}

/** Where the memory was lost, what spokes were scaled to stands on their ManifestWorks. */
function foundAgain(question: BalanceQuestion, looking: Looking): ReadonlyMap<string, Sight> {
  const pins = question.views.flatMap(({ cluster, written = 0, scaledThere }): [string, Sight][] =>
    scaledThere === undefined ? [] : [[cluster, { written, pin: scaledThere }]],
  );
  return new Map([...lentBefore(question, looking), ...pins]);
}

/**
 * Where the memory was lost, what is written tells what was lent: a settled distribution of this very total in which a cluster has
 * less than its share. It is believed for one time of hesitation, and tried again then, so that a lost table moves nothing at once.
 */
function lentBefore(question: BalanceQuestion, { now, hesitationMs }: Looking): ReadonlyMap<string, Sight> {
  const { spec, uid, views } = question;
  const total = spec.distributionStrategy.totalReplicas;
  const written = sum(views.map((view) => view.written ?? 0));
  if (written !== total || !Number.isFinite(hesitationMs)) return new Map();
  const candidates = candidatesOf(question, new Map());
  const known = new Set(views.flatMap(({ cluster, written: number }) => (number === undefined ? [] : [cluster])));
  const { share } = desiredReplicas({ uid, total, limits: limitsOf(spec.balanceStrategy), candidates });
  return new Map(
    candidates.flatMap(({ cluster, holds }): [string, Sight][] => {
      // One that has just joined has no number yet.
      const isLess = known.has(cluster) && holds < (share.get(cluster) ?? 0);
      return isLess
        ? [[cluster, { written: holds, cap: { replicas: holds, until: now + hesitationMs, guessed: true } }]]
        : [];
    }),
  );
}

function candidatesOf({ views, weights }: BalanceQuestion, sights: ReadonlyMap<string, Sight>): readonly Candidate[] {
  return views
    .filter(({ selected }) => selected)
    .map(({ cluster, written = 0 }) => {
      const { pin, cap } = sights.get(cluster) ?? {};
      return {
        cluster,
        weight: weights.get(cluster) ?? 1,
        holds: written,
        ...(pin !== undefined && { pin }),
        ...(cap !== undefined && { cap: cap.replicas }),
      };
    });
}

/** Who was scaled to what it would have without it needs no pin any more; where more was lent there, the rest goes as from one that is short. */
function withoutNeedlessPins(sights: ReadonlyMap<string, Sight>, { needless }: Desired): ReadonlyMap<string, Sight> {
  if (needless.size === 0) return sights;
  return new Map([...sights].map(([cluster, sight]) => [cluster, needless.has(cluster) ? withoutPin(sight) : sight]));
}

function withoutPin({ pin, ...sight }: Sight): Sight {
  return pin === undefined ? sight : { ...sight, past: pin };
}

/** What another look has given it, where the list of this one is older than that look's writes. */
function unseen({ cluster, written }: View, memory: Memory | undefined): number | undefined {
  const given = memory?.sights[cluster]?.written;
  return given === written ? undefined : given;
}

interface Seen {
  readonly sight: Sight | undefined;
  readonly given: number;
}

function seenOf(view: View, sights: ReadonlyMap<string, Sight>, memory: Memory | undefined): Seen {
  return { sight: sights.get(view.cluster), given: unseen(view, memory) ?? 0 };
}

function placeOf(view: View, { replicas }: Desired, { sight, given }: Seen): Place {
  const { cluster, selected, reachable, deleting, written = 0, onSpoke, ready } = view;
  const cap = sight?.cap?.guessed ? undefined : sight?.cap?.replicas;
  return {
    cluster,
    written,
    ready,
    wanted: replicas.get(cluster) ?? 0,
    // What its own people took away there is nothing to be kept.
    keepable: !deleting && (selected || reachable) ? Math.min(written, onSpoke ?? written) : 0,
    occupied: reachable ? Math.max(onSpoke ?? written, ready, given) : 0,
    ...(cap !== undefined && { cap }),
  };
}
