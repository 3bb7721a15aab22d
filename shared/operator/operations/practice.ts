/** What can befall the clusters of a practice hub; only a local run on one answers. */
import * as z from 'zod/mini';
import { practice } from '../operation.ts';

const cluster = { cluster: z.string() };
const done = z.object({ said: z.string() });

export const failCluster = practice({
  path: '/practice/clusters/{cluster}/fail',
  says: 'Has the cluster stop: nothing is heard of it, and its replicas are gone.',
  input: z.object(cluster),
  output: done,
});

export const recoverCluster = practice({
  path: '/practice/clusters/{cluster}/recover',
  says: 'Ends a failure or a drain.',
  input: z.object(cluster),
  output: done,
});

export const drainCluster = practice({
  path: '/practice/clusters/{cluster}/drain',
  says: 'Takes everything off a healthy cluster.',
  input: z.object(cluster),
  output: done,
});

export const slowPods = practice({
  path: '/practice/clusters/{cluster}/slow-pods',
  says: 'Sets how long a pod takes to get ready there.',
  input: z.object({ ...cluster, readyMs: z.int().check(z.gte(0), z.lte(600_000)) }),
  output: done,
});
