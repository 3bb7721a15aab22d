/** Parts that several answers share. */
import * as z from 'zod/mini';
import { hubName } from '../../bus/event.ts';

/** RFC 3339, UTC: "2026-11-22T08:00:00Z". */
export const time = z.string();
/** Replicas by cluster. */
export const numbers = z.record(z.string(), z.number());

export const ofHub = { hub: hubName };

/** The workload in the format of a WorkloadRebalancer; the namespace is empty if it has none. */
export const workloadReference = z.object({
  apiVersion: z.string(),
  kind: z.string(),
  namespace: z.string(),
  name: z.string(),
});

/** A binding's key; the namespace is empty for a ClusterResourceBinding. */
export const bindingKey = z.object({ namespace: z.string(), name: z.string() });
