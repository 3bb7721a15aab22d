/** Names for one-time schedules: at most 64 characters of [0-9A-Za-z_.-], one for each purpose and task, so that a schedule put again replaces the one before. */
import type { TaskKey } from './rebalance-task.ts';

/**
 * `<purpose>-<hash>`, the hash being 128 bits of FNV-1a over hub and uid. Hub (40) and uid (36) together are too long to
 * stand in the name themselves. Purposes have at most 31 characters.
 */
export function scheduleName(purpose: string, { hub, uid }: TaskKey): string {
  let hash = 0x6c62272e07bb014262b821756295c58dn;
  for (const byte of new TextEncoder().encode(`${hub}/${uid}`)) {
    hash = BigInt.asUintN(128, (hash ^ BigInt(byte)) * 0x0000000001000000000000000000013bn);
  }
  return `${purpose}-${hash.toString(16).padStart(32, '0')}`;
}
