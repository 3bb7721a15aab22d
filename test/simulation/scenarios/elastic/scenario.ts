/** ElasticWorkloads on an Open Cluster Management fleet whose managed clusters fail, fill up, join and are scaled by their own users. */
import type { Scenario } from '../scenario.ts';
import type { Act } from './acts.ts';
import { drawActs } from './draw-acts.ts';
import { ElasticAtRest } from './elastic-at-rest.ts';
import { ElasticLife } from './elastic-life.ts';
import { ElasticOracle } from './elastic-oracle.ts';

export const elastic: Scenario<Act> = {
  settings: {},
  draw: drawActs,
  begin(system, { violations }) {
    const life = new ElasticLife(system);
    new ElasticOracle(system, life, violations);
    const rest = new ElasticAtRest(system, life, violations);
    return {
      act: (act) => life.act(act),
      calm: () => life.calm(),
      atRest: () => rest.check(),
    };
  },
};
