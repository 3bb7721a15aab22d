/** The platform of a deployed function. Ports come through here, so that functions see the edge and never an adapter. */
import { awsTelemetry } from '../adapters/aws/aws-ports.ts';
import type { Surroundings } from '../ports/ports.ts';
import { readSettings } from '../settings.ts';
import { clock, type Environment } from './moment.ts';

export {
  awsAuditLogs,
  awsBus,
  awsConnections,
  awsDescheduling,
  awsElastic,
  awsEstimators,
  awsHubs,
  awsJournal,
  awsPolicies,
  awsQueues,
  awsSchedule,
  awsSourceQueue,
  awsTasks,
} from '../adapters/aws/aws-ports.ts';

export function awsSurroundings(environment: Environment): Surroundings {
  return { settings: readSettings(environment), telemetry: awsTelemetry(), ...clock };
}
