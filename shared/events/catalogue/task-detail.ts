/** The detail of every event that speaks of a whole task. */
import * as z from 'zod/mini';
import { hubName, objectName, uid } from '../event.ts';

export const taskDetail = z.object({ hub: hubName, uid, name: objectName });

export function taskKey({ hub, uid }: z.output<typeof taskDetail>): string {
  return `${hub}/${uid}`;
}
