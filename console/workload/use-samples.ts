/** Collects samples of a workload while its page is open. */
import { useEffect, useState } from 'preact/hooks';
import type { WorkloadAnswer } from '../../shared/console-api/operations/fleet.ts';
import { now } from '../live.ts';
import { type Sample, withSample } from './samples.ts';

interface SampledWorkload {
  readonly clusters: readonly Pick<WorkloadAnswer['clusters'][number], 'name' | 'assigned' | 'ready'>[];
}

/** Kept when the user opens other pages. */
const seen = new Map<string, readonly Sample[]>();
const MOST_WORKLOADS = 50;

export function useSamples(key: string, { clusters }: SampledWorkload): readonly Sample[] {
  const [samples, setSamples] = useState<readonly Sample[]>(seen.get(key) ?? []);
  const at = now.value;
  useEffect(() => {
    const shares = Object.fromEntries(clusters.map(({ name, assigned }) => [name, assigned]));
    const ready = clusters.reduce((sum, cluster) => sum + cluster.ready, 0);
    const next = withSample(seen.get(key) ?? [], { at, shares, ready });
    seen.delete(key);
    seen.set(key, next);
    const [oldest] = seen.keys();
    if (seen.size > MOST_WORKLOADS && oldest !== undefined) seen.delete(oldest);
    setSamples(next);
    // Once per second, not per render.
  }, [key, at]);
  return samples;
}
