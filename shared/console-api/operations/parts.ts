/** Parts that several answers share. */
import * as z from 'zod/mini';
import { hubName } from '../../bus/event.ts';
import { findingCodeNames } from '../health-findings.ts';

/** RFC 3339, UTC: "2026-11-22T08:00:00Z". */
export const time = z.string();
/** Replicas by cluster. */
export const numbers = z.record(z.string(), z.number());

export const ofHub = { hub: hubName };

/** What is wrong with a hub or a queue (health-findings.ts). */
export const findings = z.array(
  z.object({
    /** `error` or `warning`. */
    level: z.enum(['error', 'warning']),
    code: z.enum(findingCodeNames),
    text: z.string(),
    /** A complete command, or an instruction. */
    remedy: z.string(),
    /** Of docs/operations/runbook.md. */
    section: z.string(),
  }),
);

/** The workload in the format of a WorkloadRebalancer; the namespace is empty if it has none. */
export const workloadReference = z.object({
  apiVersion: z.string(),
  kind: z.string(),
  namespace: z.string(),
  name: z.string(),
});

/** A binding's key; the namespace is empty for a ClusterResourceBinding. */
export const bindingKey = z.object({ namespace: z.string(), name: z.string() });
