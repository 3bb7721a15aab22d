/**
 * The final records in the table: no run is running, every decision of the descheduler is settled, and no decision is based on an
 * impossible estimate.
 */

import { HUB } from '../../system/only-hub.ts';
import type { System } from '../../system/system.ts';
import type { Violations } from '../../violations.ts';

export async function recordsAtRest({ policies, descheduling }: System, violations: Violations): Promise<void> {
  for (const { name, run } of await policies.readStates(HUB))
    if (run?.state === 'Running') violations.add('every run of a policy ends', `${name}: ${JSON.stringify(run)}`);
  for (const decision of await descheduling.decisions(HUB, 1000)) {
    if (decision.outcome === 'Planned')
      violations.add('every decision of the descheduler is settled in the end', JSON.stringify(decision));
    if (decision.clusters.some(({ assigned, unschedulable = 0, taken }) => taken > 0 && unschedulable > assigned))
      violations.add('nothing is evicted on an impossible estimate', JSON.stringify(decision));
  }
  const sweep = await descheduling.readRun(HUB);
  if (sweep !== undefined && sweep.state !== 'Finished')
    violations.add('every run of the descheduler ends', JSON.stringify(sweep));
}
