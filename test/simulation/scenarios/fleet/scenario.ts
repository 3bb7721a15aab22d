/** A fleet of members that fail and recover, with graceful reductions, the descheduler and a policy. */
import type { Scenario } from '../scenario.ts';
import type { Act } from './acts.ts';
import { drawActs } from './draw-acts.ts';
import { FleetLife } from './fleet-life.ts';
import { FleetOracle } from './fleet-oracle.ts';
import { recordsAtRest } from './records-at-rest.ts';

export const fleet: Scenario<Act> = {
  settings: { chunkSize: '2', unschedulableSeconds: '60', deschedulingCooldownSeconds: '60' },
  draw: drawActs,
  begin(system, { violations, skewMs }) {
    const life = new FleetLife(system);
    const oracle = new FleetOracle(system, life, { violations, skewMs });
    return {
      act: (act) => life.act(act),
      calm: () => life.calm(),
      async atRest() {
        oracle.atRest();
        await recordsAtRest(system, violations);
      },
    };
  },
};
