/** What every task is given besides its ports: settings, a voice, the clock and fresh ids. The clock is read here and nowhere further in. */
import { randomUUID } from 'node:crypto';
import type { Context } from 'aws-lambda';
import type { Ports, Surroundings } from '../ports/ports.ts';
import type { Invocation } from '../ports/telemetry.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** How the ports a task uses are made from the environment; made once, at the first event. */
export type PortFactories<P extends keyof Ports> = {
  readonly [K in P]: (surroundings: Surroundings, environment: Environment) => Ports[K];
};

export const clock = { now: () => Date.now(), newId: () => randomUUID() };

export function makePorts<P extends keyof Ports>(
  factories: PortFactories<P>,
  surroundings: Surroundings,
  environment: Environment,
): Pick<Ports, P> & Surroundings {
  const names = Object.keys(factories) as P[];
  const ports = Object.fromEntries(names.map((name) => [name, factories[name](surroundings, environment)]));
  return { ...surroundings, ...(ports as Pick<Ports, P>) };
}

export function invocationOf({ functionName, awsRequestId }: Context): Invocation {
  return { functionName, requestId: awsRequestId };
}
