/** Names for one-time schedules: at most 64 characters of [0-9A-Za-z_.-], one for each purpose and task, so that a schedule put again replaces the one before. */
import { digest } from './digest.ts';
import type { TaskKey } from './rebalance-task.ts';

/**
 * `<purpose>-<hash>`, the hash being a digest of hub and uid. Hub (40) and uid (36) together are too long to
 * stand in the name themselves. Purposes have at most 31 characters.
 */
export function scheduleName(purpose: string, { hub, uid }: TaskKey): string {
  return `${purpose}-${digest(`${hub}/${uid}`)}`;
}
