/** The context of an invocation of a deployed function. */
import type { Environment } from '../aws/client-config.ts';
import { PowertoolsTelemetry } from '../aws/powertools-telemetry.ts';
import { readEnvironment } from '../core/environment.ts';
import type { InvocationContext } from '../core/invocation.ts';
import { readSettings } from '../core/settings.ts';
import { clock } from './moment.ts';

export function awsContext(environment: Environment): InvocationContext {
  return {
    settings: readSettings(environment),
    telemetry: new PowertoolsTelemetry(readEnvironment(environment, 'deployment')),
    ...clock,
  };
}
