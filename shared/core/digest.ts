/** A short name for a text of any length. */
import { createHash } from 'node:crypto';

/** The first 128 bits of its SHA-256, as 32 hexadecimal digits: users choose the texts, so no two that collide may be easy to find. */
export function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

/**
 * Names a one-time schedule, in at most 64 characters of [0-9A-Za-z_.-]: a schedule of the same purpose and task replaces the one before.
 * `<purpose>-<hash>`, the hash being a digest of hub and uid. Hub (40) and uid (36) together are too long to
 * stand in the name themselves. Purposes have at most 31 characters.
 */
export function scheduleName(purpose: string, { hub, uid }: { readonly hub: string; readonly uid: string }): string {
  return `${purpose}-${digest(`${hub}/${uid}`)}`;
}
