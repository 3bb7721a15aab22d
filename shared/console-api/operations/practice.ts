/** Failures of a practice hub and of its clusters; only a local run supports them. */
import * as z from 'zod/mini';
import { practice } from '../operation.ts';

const cluster = { cluster: z.string() };
const done = z.object({ message: z.string() });

export const failCluster = practice({
  path: '/practice/clusters/{cluster}/fail',
  description: 'Stops the cluster: it reports no status, and its replicas are gone.',
  input: z.object(cluster),
  output: done,
});

export const recoverCluster = practice({
  path: '/practice/clusters/{cluster}/recover',
  description: 'Ends a failure.',
  input: z.object(cluster),
  output: done,
});

export const slowPods = practice({
  path: '/practice/clusters/{cluster}/slow-pods',
  description: 'Sets how long a pod takes to become ready on the cluster.',
  input: z.object({ ...cluster, readyMs: z.int().check(z.gte(0), z.lte(600_000)) }),
  output: done,
});

export const failHub = practice({
  path: '/practice/hub/fail',
  description: 'The practice hub stops answering for some seconds.',
  input: z.object({
    seconds: z.int().check(z.gte(1), z.lte(600)),
    /** Requests get no response. Otherwise their connections are closed. */
    hangs: z._default(z.boolean(), false),
  }),
  output: done,
});

export const recoverHub = practice({
  path: '/practice/hub/recover',
  description: 'The practice hub answers again.',
  input: z.object({}),
  output: done,
});
