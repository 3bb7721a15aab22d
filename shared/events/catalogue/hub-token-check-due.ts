import * as z from 'zod/mini';
import { defineEvent, hubName } from '../event.ts';

export const HubTokenCheckDue = defineEvent({
  type: 'HubTokenCheckDue',
  version: 1,
  description: 'It is time to look whether the token by which the functions reach a hub is to be renewed.',
  schema: z.object({ hub: hubName }),
  recurs: true,
  key: ({ hub }) => hub,
});
