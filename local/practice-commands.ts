/** Commands that simulate failures of the practice hub and of its clusters. */

import { notFound } from '../shared/console-api/error-response.ts';
import { onOperation, operationTask } from '../shared/console-api/operation-task.ts';
import type { Answerers } from '../shared/console-api/operations-app.ts';
import { readSettings } from '../shared/core/settings.ts';
import type { Telemetry } from '../shared/core/telemetry.ts';
import { clock } from '../shared/runtime/moment.ts';
import { localContext } from './invocation.ts';
import type { PracticeHub } from './practice.ts';
import type { SimulatedFleet } from './practice-hub/fleet.ts';

/** The part of a practice hub that can fail. */
type FailingHub = Pick<PracticeHub, 'fleet' | 'server'>;

export function practiceAnswerer(hub: FailingHub, telemetry: Telemetry): NonNullable<Answerers['practice']> {
  const context = { settings: readSettings({}), telemetry, ...clock };
  const handler = onOperation(practiceCommands(hub), {}, { context: () => context });
  return (call) => handler(call, localContext('practice'));
}

/** For Karmada members and Open Cluster Management's managed clusters. */
function practiceCommands({ fleet, server }: FailingHub) {
  const done = (message: string) => ({ message });
  const of = (cluster: string): Pick<SimulatedFleet, 'fail' | 'recover' | 'setReadyDelay'> => {
    if (fleet.memberNames.includes(cluster)) return fleet;
    const { managedClusters } = fleet;
    if (managedClusters.names.includes(cluster)) return managedClusters;
    const known = [...fleet.memberNames, ...managedClusters.names].join(', ');
    throw notFound(`cluster ${cluster} not found on the practice hub; there are: ${known}`);
  };
  return operationTask<'practice', object, undefined>({
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
      slowPods: async ({ cluster, readyMs }) => {
        of(cluster).setReadyDelay(cluster, readyMs);
        return done(`a pod on ${cluster} takes ${readyMs} ms to get ready`);
      },
      failHub: async ({ seconds, hangs }) => {
        server.fail({ ms: seconds * 1000, hangs });
        return done(`the practice hub does not answer for ${seconds} s`);
      },
      recoverHub: async () => {
        server.recover();
        return done('the practice hub answers again');
      },
    },
  });
}
