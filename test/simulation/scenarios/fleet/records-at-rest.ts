/**
 * What the table must say of a fleet in the end: no run is under way for ever, and every decision of the descheduler has come to its end
 * and was made on what can be.
 */
import type { System } from '../../system/system.ts';
import { HUB } from '../../system/system.ts';
import type { Violations } from '../../violations.ts';

export async function recordsAtRest({ policies, descheduling }: System, violations: Violations): Promise<void> {
  for (const { name, run } of await policies.readStates(HUB))
    if (run?.state === 'Running') violations.add('every run of a policy ends', `${name}: ${JSON.stringify(run)}`);
  for (const decision of await descheduling.decisions(HUB, 1000)) {
    if (decision.outcome === 'Planned')
      violations.add('every decision of the descheduler comes to its end', JSON.stringify(decision));
    if (decision.clusters.some(({ assigned, unschedulable = 0, taken }) => taken > 0 && unschedulable > assigned))
      violations.add('nothing is taken out on an answer that can not be', JSON.stringify(decision));
  }
  const sweep = await descheduling.readRun(HUB);
  if (sweep !== undefined && sweep.state !== 'Finished')
    violations.add('every run of the descheduler ends', JSON.stringify(sweep));
}
