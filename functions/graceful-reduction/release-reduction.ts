/** Decides what is written of a binding that holds reductions, or asks for it: what it says by its policy, what goes on waiting, what is released, what can still be held. */
import { type QueuePatch, queuePatch } from '../../shared/model/graceful-reduction/holds.ts';
import { carriedWords, type ReductionPolicy } from '../../shared/model/graceful-reduction/reduction-policy.ts';
import {
  decideReductions,
  type ReductionDecision,
  type ReductionQuestion,
} from '../../shared/model/graceful-reduction/release-reduction.ts';
import { asksOrHolds } from '../../shared/model/graceful-reduction/replica-reduction.ts';
import { unheldReductions } from '../../shared/model/graceful-reduction/unheld-reductions.ts';
import type { PlacedBinding } from '../../shared/model/placed-binding.ts';

/** The binding as it is to be judged: with its policy's words on it. */
export interface WithWords {
  readonly binding: PlacedBinding;
  /** To be written, null to be taken away; undefined where nothing is. */
  readonly words: Readonly<Record<string, string | null>> | undefined;
}

export function withWords(binding: PlacedBinding, policy: ReductionPolicy | undefined): WithWords {
  const words = carriedWords(binding, policy);
  if (words === undefined) return { binding, words };
  const merged = Object.entries({ ...binding.metadata.annotations, ...words });
  const annotations = Object.fromEntries(merged.flatMap(([name, text]) => (text === null ? [] : [[name, text]])));
  return { binding: { ...binding, metadata: { ...binding.metadata, annotations } }, words };
}

/** Nothing of it is held, and nothing asks that it be. */
export function isOfNoConcern({ binding, words }: WithWords): boolean {
  return words === undefined && !asksOrHolds(binding);
}

export interface ReductionWrite extends ReductionDecision {
  /** Undefined where the binding is as it should be. */
  readonly patch: QueuePatch | undefined;
  /** Clusters whose reduction nobody held in the write that made it. */
  readonly taken: readonly string[];
  readonly reason: string;
}

export function decideWrite(question: ReductionQuestion, { words }: Pick<WithWords, 'words'>): ReductionWrite {
  const decision = decideReductions(question);
  const unheld = unheldReductions(question);
  const changes = queuePatch(question.binding, new Map([...decision.next, ...unheld]));
  const annotations = { ...words, ...changes?.metadata?.annotations };
  const metadata = Object.keys(annotations).length > 0 && { metadata: { annotations } };
  const patch = { ...changes, ...metadata };
  const taken = [...unheld.keys()];
  return {
    ...decision,
    taken,
    patch: Object.keys(patch).length === 0 ? undefined : patch,
    reason: reasonOf(decision, taken, words !== undefined),
  };
}

function reasonOf({ released, waiting }: ReductionDecision, taken: readonly string[], isCarried: boolean): string {
  const said = [
    ...released.map(({ cluster, reason }) => `${cluster} is released: ${reason}`),
    ...waiting.map(({ cluster, reason }) => `${cluster} waits: ${reason}`),
    ...taken.map((cluster) => `${cluster} is held from now on`),
    ...(isCarried ? ['it says what its policy says'] : []),
  ];
  return said.join('; ') || 'nothing is held';
}
