/** One object of a hub, as its API server sends it. */
import * as z from 'zod/mini';
import { query } from '../operation.ts';
import { ofHub } from './parts.ts';

export const objectKinds = ['rebalancers', 'bindings', 'clusters', 'policies', 'drains', 'elasticworkloads'] as const;

export const getObject = query({
  path: '/hubs/{hub}/objects/{kind}/{namespace}/{name}',
  description:
    'A WorkloadRebalancer, binding, member cluster, RebalancePolicy, ClusterDrain or ElasticWorkload, as the API server of the hub sends it.',
  input: z.object({
    ...ofHub,
    kind: z.enum(objectKinds),
    /** "-" for an object without a namespace. */
    namespace: z.string().check(z.minLength(1), z.maxLength(253)),
    name: z.string().check(z.minLength(1), z.maxLength(253)),
  }),
  output: z.object({ object: z.record(z.string(), z.unknown()) }),
});

export type ObjectKind = (typeof objectKinds)[number];
