/** Releases replica reductions of one binding on behalf of a user: for `evenkeel release`, and for pausing a hub. */
import { Fault } from '../core/fault.ts';
import { listBindings } from '../karmada/list-bindings.ts';
import { placedKind } from '../karmada/placed-binding.ts';
import type { Hub } from '../kubernetes/hub.ts';
import { keyText, type ObjectKey } from '../kubernetes/object-key.ts';
import { onVersion, queuePatch } from './holds.ts';
import { queueOf } from './replica-reduction.ts';

const MAX_ATTEMPTS = 5;

/** Releases the holds of the chosen clusters in one write; returns the clusters. */
export async function releaseHeld(
  hub: Hub,
  key: ObjectKey,
  isChosen: (cluster: string) => boolean,
): Promise<readonly string[]> {
  const kind = placedKind(key);
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const binding = await hub.get(kind, key);
    const queue = binding ? queueOf(binding) : new Map<string, never>();
    const released = [...queue.keys()].filter(isChosen);
    if (binding === undefined || released.length === 0) return [];
    const next = new Map([...queue].filter(([cluster]) => !isChosen(cluster)));
    const written = await hub.patch(kind, key, { merge: onVersion(binding, queuePatch(binding, next) ?? {}) });
    if (written.result !== 'conflict') return written.result === 'done' ? released : [];
  }
  throw new Fault('retryable', `${keyText(key)} changes too often to be written; try again`, { reason: 'Conflict' });
}

/** Releases all holds of a hub; returns their number. */
export async function releaseAllHeld(hub: Hub): Promise<number> {
  let released = 0;
  for await (const page of (await listBindings(hub)) ?? [])
    for (const binding of page)
      if (queueOf(binding).size > 0) released += (await releaseHeld(hub, binding.metadata, () => true)).length;
  return released;
}
