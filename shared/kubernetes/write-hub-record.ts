/** Changes the record of a hub, also while other clients write it. */
import { Fault } from '../core/fault.ts';
import type { HubRecord, HubRegistry, NewHubRecord } from './hub-registry.ts';

/** A record has few writers: operators, and the pause operation. */
const ATTEMPTS = 5;

/** Each attempt reads the record again. `decide` returns undefined if nothing is to be written. */
export async function changeHubRecord(
  registry: Pick<HubRegistry, 'read' | 'write'>,
  hub: string,
  decide: (existing: HubRecord | undefined) => NewHubRecord | undefined,
): Promise<{ readonly before: HubRecord | undefined; readonly revision: number }> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const before = await registry.read(hub);
    const revision = before?.revision ?? 0;
    const record = decide(before);
    if (record === undefined) return { before, revision };
    if ((await registry.write(record, revision)) === 'done') return { before, revision: revision + 1 };
  }
  throw new Fault('retryable', `the record of hub ${hub} is being written by other clients; run it again`, {
    reason: 'Conflict',
  });
}
