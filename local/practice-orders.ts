/** Orders of the practice hub that simulate failures of its clusters. */
import { clock } from '../shared/edge/moment.ts';
import type { Answerers } from '../shared/edge/operator-app.ts';
import { onOperator, operatorTask } from '../shared/edge/operator-task.ts';
import { notFound } from '../shared/operator/error-response.ts';
import type { Telemetry } from '../shared/ports/telemetry.ts';
import { readSettings } from '../shared/settings.ts';
import { localContext } from './invocation.ts';
import type { SimulatedFleet } from './practice-hub/fleet.ts';

export function practiceAnswerer(fleet: SimulatedFleet, telemetry: Telemetry): NonNullable<Answerers['practice']> {
  const context = { settings: readSettings({}), telemetry, ...clock };
  const handler = onOperator(practiceOrders(fleet), {}, { context: () => context });
  return (call) => handler(call, localContext('practice'));
}

/** For Karmada members and Open Cluster Management's managed clusters. */
function practiceOrders(fleet: SimulatedFleet) {
  const done = (message: string) => ({ message });
  const of = (cluster: string): Pick<SimulatedFleet, 'fail' | 'recover' | 'setReadyDelay'> => {
    if (fleet.memberNames.includes(cluster)) return fleet;
    const { managedClusters } = fleet;
    if (managedClusters.names.includes(cluster)) return managedClusters;
    const known = [...fleet.memberNames, ...managedClusters.names].join(', ');
    throw notFound(`cluster ${cluster} not found on the practice hub; there are: ${known}`);
  };
  return operatorTask<'practice', object, undefined>({
    kind: 'practice',
    remember: () => undefined,
    answers: {
      failCluster: async ({ cluster }) => {
        of(cluster).fail(cluster);
        return done(`${cluster} fails and stops reporting`);
      },
      recoverCluster: async ({ cluster }) => {
        of(cluster).recover(cluster);
        return done(`${cluster} is healthy again; nothing moves back by itself`);
      },
      drainCluster: async ({ cluster }) => {
        if (of(cluster) !== fleet)
          throw notFound(`${cluster} is a managed cluster, which cannot be drained; fail it instead`);
        fleet.drain(cluster);
        return done(`all replicas are evicted from ${cluster}`);
      },
      slowPods: async ({ cluster, readyMs }) => {
        of(cluster).setReadyDelay(cluster, readyMs);
        return done(`a pod on ${cluster} takes ${readyMs} ms to get ready`);
      },
    },
  });
}
