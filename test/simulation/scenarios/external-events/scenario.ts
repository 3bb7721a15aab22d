/** A fleet of EKS clusters with policies for events of AWS, alerts and pipelines, which arrive twice, late, out of order, for other accounts, or without an end. */
import { SECOND } from '../../../../shared/core/time.ts';
import { FleetOracle } from '../fleet/fleet-oracle.ts';
import { recordsAtRest } from '../fleet/records-at-rest.ts';
import type { Scenario } from '../scenario.ts';
import type { Act } from './acts.ts';
import { DrainsOracle } from './drains-oracle.ts';
import { drawActs } from './draw-acts.ts';
import { EventLife } from './event-life.ts';
import { KnownPolicies } from './known-policies.ts';
import { MovesOracle } from './moves-oracle.ts';
import { checkRuns } from './runs-oracle.ts';

const CALM_MS = 6 * 3600 * SECOND;

export const externalEvents: Scenario<Act> = {
  settings: { chunkSize: '2' },
  // An event may arrive two hours late and count for two; then the rebalancers of its drain are kept for an hour.
  calmMs: CALM_MS,
  draw: drawActs,
  begin(system, context) {
    const life = new EventLife(system);
    const fleet = new FleetOracle(system, life.life, context);
    const known = new KnownPolicies(system, life);
    const drains = new DrainsOracle(system, life, { ...context, known });
    const moves = new MovesOracle(system, life, context);
    return {
      act(act) {
        if (act.do === 'resync') drains.check();
        moves.onAct(act);
        life.act(act);
      },
      calm() {
        life.calm();
        drains.calm();
        moves.calm();
      },
      async atRest() {
        fleet.atRest();
        drains.check();
        await checkRuns(system, known, context);
        await recordsAtRest(system, context.violations);
      },
    };
  },
};
