/** Taking a cluster out of service, and back. */
import * as z from 'zod/mini';
import { command } from '../operation.ts';
import { ofHub } from './parts.ts';

const cluster = { ...ofHub, cluster: z.string() };

export const drainCluster = command({
  path: '/hubs/{hub}/clusters/{cluster}/drain',
  description: 'Creates a ClusterDrain on the hub: the cluster gets no new replicas, and those that it has move away.',
  input: z.object(cluster),
  output: z.object({
    name: z.string(),
    /** False: the cluster is drained already. */
    created: z.boolean(),
  }),
});

export const uncordonCluster = command({
  path: '/hubs/{hub}/clusters/{cluster}/uncordon',
  description: 'Deletes the ClusterDrains of the cluster: it gets replicas again.',
  input: z.object(cluster),
  /** Names of the ClusterDrains. */
  output: z.object({ deleted: z.array(z.string()) }),
});
