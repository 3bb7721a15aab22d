/** The deployment and its hubs. */
import * as z from 'zod/mini';
import { order, question } from '../operation.ts';
import { ofHub, time } from './parts.ts';

const pause = z.object({
  since: time,
  /** The reason that the user gave. */
  reason: z.string(),
  /** The user who paused it: `console:NAME` of a login that the console verified, `claimed:NAME` as a shell claimed, or `local:user`. */
  by: z.optional(z.string()),
});

const reach = z.object({
  /** `Reachable`; `Unreachable`: a request made just now failed; `NotCompared`: resync has not succeeded for three intervals. */
  state: z.string(),
  /** Why it is not Reachable. */
  message: z.optional(z.string()),
  /** The last successful resync. */
  comparedAt: z.optional(time),
});

export const about = question({
  path: '/about',
  description: 'The supported kinds of operations, and the current time.',
  input: z.object({}),
  output: z.object({
    /** The kinds of operations that this server supports. */
    may: z.object({ order: z.boolean(), practice: z.boolean() }),
    now: time,
  }),
});

const hubSummary = z.object({ name: z.string(), paused: z.optional(pause), reach });

export const listHubs = question({
  path: '/hubs',
  description:
    'The hubs of the deployment: which are paused, whether each can be reached, and when it was compared last.',
  input: z.object({}),
  output: z.object({ hubs: z.array(hubSummary) }),
});

const heldReduction = z.object({
  namespace: z.string(),
  binding: z.string(),
  cluster: z.string(),
  replicas: z.number(),
  assigned: z.number(),
  /** End of its grace period; absent if it waits for a user, or its start is not recorded yet. */
  until: z.optional(time),
});

export const listHeld = question({
  path: '/hubs/{hub}/held',
  description:
    'What waits for Evenkeel on a hub: replica reductions that are held, and ElasticWorkloads that a finalizer keeps.',
  input: z.object(ofHub),
  output: z.object({
    reductions: z.array(heldReduction),
    /** Those with our finalizer. `deleting`: since when; absent if it is not being deleted. */
    elasticWorkloads: z.array(
      z.object({ group: z.string(), namespace: z.string(), name: z.string(), deleting: z.optional(time) }),
    ),
  }),
});

export const pauseHub = order({
  path: '/hubs/{hub}/pause',
  description:
    'Stops all writes of Evenkeel on the hub until it is resumed. Events are dropped meanwhile, because resuming compares the whole hub.',
  input: z.object({
    ...ofHub,
    reason: z._default(z.string().check(z.maxLength(300)), ''),
    /** Releases the replica reductions that the hub holds, as the last writes before the pause. */
    releaseHolds: z._default(z.boolean(), false),
  }),
  /** `withinSeconds`: upper bound until every function observes the pause. */
  output: z.object({ paused: pause, withinSeconds: z.number(), released: z.number() }),
});

export const resumeHub = order({
  path: '/hubs/{hub}/resume',
  description: 'Ends a pause, and compares the hub with the state of Evenkeel.',
  input: z.object(ofHub),
  output: z.object({ wasPaused: z.boolean() }),
});

export const resyncHub = order({
  path: '/hubs/{hub}/resync',
  description: 'Compares the hub with the state of Evenkeel now, instead of at the next scheduled time.',
  input: z.object(ofHub),
  output: z.object({ asked: z.array(z.string()) }),
});

export type HubSummary = z.output<typeof hubSummary>;
