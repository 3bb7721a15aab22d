/** What every AWS client of a function is made with, and the JSON values of its environment. */
import { type EnvironmentName, environmentNames, readEnvironment } from '../core/environment.ts';
import { Fault } from '../core/fault.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The SDK retries throttled requests and passing errors itself. A request that hangs counts as one of them. */
export const clientConfig = { maxAttempts: 5, requestHandler: { connectionTimeout: 2000, requestTimeout: 5000 } };

/** Throws a terminal Fault that names the variable if it is not a JSON object. */
export function jsonEnvironment<T>(environment: Environment, name: EnvironmentName): Record<string, T> {
  try {
    return JSON.parse(readEnvironment(environment, name)) as Record<string, T>;
  } catch (thrown) {
    if (thrown instanceof Fault) throw thrown;
    throw new Fault('terminal', `${environmentNames[name]} is not a JSON object; the stack sets it`, {
      reason: 'InvalidEnvironment',
    });
  }
}
