/** The context of an invocation of a deployed function. */
import { PowertoolsTelemetry } from '../adapters/powertools/powertools-telemetry.ts';
import { readEnvironment } from '../environment.ts';
import type { InvocationContext } from '../ports/invocation.ts';
import { readSettings } from '../settings.ts';
import { clock, type Environment } from './moment.ts';

export function awsContext(environment: Environment): InvocationContext {
  return {
    settings: readSettings(environment),
    telemetry: new PowertoolsTelemetry(readEnvironment(environment, 'deployment')),
    ...clock,
  };
}
