import * as z from 'zod/mini';
import { defineEvent, hubName } from '../event.ts';

export const DeschedulingDue = defineEvent({
  type: 'DeschedulingDue',
  version: 1,
  description: 'It is time to look through a hub for replicas that no node takes.',
  schema: z.object({ hub: hubName }),
  recurs: true,
  key: ({ hub }) => hub,
});
