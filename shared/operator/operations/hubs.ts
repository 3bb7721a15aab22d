/** The deployment and its hubs. */
import * as z from 'zod/mini';
import { order, question } from '../operation.ts';
import { ofHub, time } from './parts.ts';

const pause = z.object({
  since: time,
  /** In the words of whoever paused it. */
  reason: z.string(),
});

export const about = question({
  path: '/about',
  says: 'What answers here, and what may be done through it.',
  input: z.object({}),
  output: z.object({
    /** Which kinds of operations are answered here. */
    may: z.object({ order: z.boolean(), practice: z.boolean() }),
    now: time,
  }),
});

export const listHubs = question({
  path: '/hubs',
  says: 'The hubs of the deployment, and which of them are paused.',
  input: z.object({}),
  output: z.object({ hubs: z.array(z.object({ name: z.string(), paused: z.optional(pause) })) }),
});

export const pauseHub = order({
  path: '/hubs/{hub}/pause',
  says: 'Has Evenkeel write nothing on the hub until it is resumed: what it hears is dropped, since resuming compares the whole hub.',
  input: z.object({ ...ofHub, reason: z._default(z.string().check(z.maxLength(300)), '') }),
  /** `withinSeconds`: by then every function has taken it up. */
  output: z.object({ paused: pause, withinSeconds: z.number() }),
});

export const resumeHub = order({
  path: '/hubs/{hub}/resume',
  says: 'Ends a pause, and has the hub compared with all that Evenkeel knows of it.',
  input: z.object(ofHub),
  output: z.object({ wasPaused: z.boolean() }),
});

export const resyncHub = order({
  path: '/hubs/{hub}/resync',
  says: 'Has the hub compared with all that Evenkeel knows of it now, and not first when the clock says so.',
  input: z.object(ofHub),
  output: z.object({ asked: z.array(z.string()) }),
});
