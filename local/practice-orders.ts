/** What a person may have befall the clusters of the practice hub. */

import { clock } from '../shared/edge/moment.ts';
import type { Answerers } from '../shared/edge/operator-app.ts';
import { onOperator, operatorTask } from '../shared/edge/operator-task.ts';
import { notFound } from '../shared/operator/refused.ts';
import type { Telemetry } from '../shared/ports/telemetry.ts';
import { readSettings } from '../shared/settings.ts';
import type { Fleet } from './practice-hub/fleet.ts';
import { localContext } from './queue.ts';

export function practiceAnswerer(fleet: Fleet, telemetry: Telemetry): NonNullable<Answerers['practice']> {
  const surroundings = { settings: readSettings({}), telemetry, ...clock };
  const handler = onOperator(practiceOrders(fleet), {}, { surroundings: () => surroundings });
  return (call) => handler(call, localContext('practice'));
}

/** Members of Karmada and spokes of Open Cluster Management alike. */
function practiceOrders(fleet: Fleet) {
  const done = (said: string) => ({ said });
  const of = (cluster: string): Pick<Fleet, 'fail' | 'recover' | 'setReadyDelay'> => {
    if (fleet.memberNames.includes(cluster)) return fleet;
    const { spokes } = fleet;
    if (spokes.names.includes(cluster)) return spokes;
    const known = [...fleet.memberNames, ...spokes.names].join(', ');
    throw notFound(`there is no cluster ${cluster} on the practice hub; there are: ${known}`);
  };
  return operatorTask<'practice', never, undefined>({
    kind: 'practice',
    remember: () => undefined,
    answers: {
      failCluster: async ({ cluster }) => {
        of(cluster).fail(cluster);
        return done(`${cluster} fails: nothing is heard of it any more`);
      },
      recoverCluster: async ({ cluster }) => {
        of(cluster).recover(cluster);
        return done(`${cluster} is well again; nothing moves back by itself`);
      },
      drainCluster: async ({ cluster }) => {
        if (of(cluster) !== fleet) throw notFound(`${cluster} is a spoke, and those can't be drained; fail it instead`);
        fleet.drain(cluster);
        return done(`everything is taken off ${cluster}`);
      },
      slowPods: async ({ cluster, readyMs }) => {
        of(cluster).setReadyDelay(cluster, readyMs);
        return done(`a pod on ${cluster} takes ${readyMs} ms to get ready`);
      },
    },
  });
}
