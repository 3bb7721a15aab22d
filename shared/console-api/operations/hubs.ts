/** The deployment and its hubs. */
import * as z from 'zod/mini';
import { hubFeatureNames } from '../../kubernetes/hub-features.ts';
import { command, query } from '../operation.ts';
import { findings, ofHub, time } from './parts.ts';

const pause = z.object({
  since: time,
  /** The reason that the user gave. */
  reason: z.string(),
  /** The user who paused it: `console:NAME` of a login that the console verified, `claimed:NAME` as a shell claimed, or `local:user`. */
  by: z.optional(z.string()),
});

const reach = z.object({
  /** `Reachable`; `Unreachable`: a request made just now failed, or had no response in 2 s; `NotCompared`: resync has not succeeded for three intervals. */
  state: z.string(),
  /** Why it is not Reachable. */
  message: z.optional(z.string()),
  /** The last successful resync. */
  comparedAt: z.optional(time),
  /** How many seconds the hub's clock is ahead of that of the functions; negative if it is behind. Absent if it was not measured. */
  clockSeconds: z.optional(z.number()),
});

export const about = query({
  path: '/about',
  description: 'The supported kinds of operations, the current time, and the version of Evenkeel.',
  input: z.object({}),
  output: z.object({
    /** The kinds of operations that this server supports. */
    may: z.object({ command: z.boolean(), practice: z.boolean() }),
    now: time,
    /** Absent if it is 0.1.0 or older. */
    version: z.optional(z.string()),
  }),
});

const hubFields = {
  name: z.string(),
  /** `Active`, or `Removing`: the functions no longer connect to it. */
  state: z.string(),
  /** URL of the API server. */
  server: z.string(),
  features: z.array(z.string()),
  /** Log group that its audit events are read from. */
  auditLogGroup: z.optional(z.string()),
  /** Counts the writes of its record. */
  revision: z.number(),
  paused: z.optional(pause),
};
const hubSummary = z.object({
  ...hubFields,
  reach,
  /** What is wrong with it, the most severe first. What the functions logged is in `getHealth`. */
  findings,
});

export const listHubs = query({
  path: '/hubs',
  description:
    'The hubs of the deployment: which are paused, whether each can be reached, and when it was compared last. Those that need attention are first.',
  input: z.object({
    /** Only hubs whose name contains this text. */
    search: z._default(z.string().check(z.maxLength(40)), ''),
  }),
  output: z.object({ hubs: z.array(hubSummary) }),
});

export const getHub = query({
  path: '/hubs/{hub}',
  description: 'The record of a hub. No request is sent to the hub.',
  input: z.object(ofHub),
  output: z.object(hubFields),
});

export const getHubHealth = query({
  path: '/hubs/{hub}/health',
  description: 'Whether a hub can be reached now, when it was compared last, and what is wrong with it.',
  input: z.object(ofHub),
  output: hubSummary,
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

export const listHeld = query({
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

export const pauseHub = command({
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

export const resumeHub = command({
  path: '/hubs/{hub}/resume',
  description: 'Ends a pause, and compares the hub with the state of Evenkeel.',
  input: z.object(ofHub),
  output: z.object({ wasPaused: z.boolean() }),
});

export const resyncHub = command({
  path: '/hubs/{hub}/resync',
  description: 'Compares the hub with the state of Evenkeel now, instead of at the next scheduled time.',
  input: z.object(ofHub),
  output: z.object({ asked: z.array(z.string()) }),
});

/** SHA-256 in hex. */
const digests = z.array(z.string().check(z.regex(/^[0-9a-f]{64}$/, 'is not a SHA-256 digest in hex')));
const server = z.string().check(z.maxLength(2048), z.regex(/^https?:\/\/[^\s@]+$/, 'is not the URL of an API server'));
const account = z.string().check(z.minLength(1), z.maxLength(300));
const callers = z.object({
  tokenDigests: digests,
  reviewKeyDigests: digests,
  subjects: z.array(z.string().check(z.minLength(1, 'is empty'))),
});
const logGroup = z.string().check(z.regex(/^[\w./#-]{1,512}$/, 'is not the name of a log group'));
/** Absent fields keep their value. */
const changes = {
  features: z.optional(z.array(z.enum(hubFeatureNames))),
  /** null: audit events are not read from a log group. */
  auditLogGroup: z.optional(z.nullable(logGroup)),
  /** Whether the stored connection has an estimator; without, the hub is not descheduled. */
  hasEstimator: z.optional(z.boolean()),
};

export const registerHub = command({
  path: '/hubs/{hub}/register',
  description:
    'Registers a hub whose connection is stored, or registers it again: its pause stays. Not for users of a deployed console.',
  input: z.object({
    ...ofHub,
    server,
    account: z.optional(account),
    callers,
    ...changes,
    /** Of a hub that is not registered yet. */
    paused: z.optional(pause),
  }),
  output: z.object({ revision: z.number(), created: z.boolean(), paused: z.optional(pause) }),
});

export const setHub = command({
  path: '/hubs/{hub}/set',
  description: 'Changes fields of the record of a registered hub. Not for users of a deployed console.',
  input: z.object({
    ...ofHub,
    server: z.optional(server),
    account: z.optional(account),
    callers: z.optional(callers),
    ...changes,
  }),
  output: z.object({ revision: z.number() }),
});

export const removeHub = command({
  path: '/hubs/{hub}/remove',
  description:
    'Removes a hub from the registry: the functions no longer connect to it. A repeated call completes one that failed. Not for users of a deployed console.',
  input: z.object(ofHub),
  output: z.object({
    /** False if it was not registered, for example because an earlier call removed it. */
    wasRegistered: z.boolean(),
    deleted: z.array(z.string()),
    /** What this operation does not delete. */
    left: z.array(z.string()),
  }),
});

export type HubSummary = z.output<typeof hubSummary>;
