/** Opens a hub from its connection. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Fault } from '../../model/fault.ts';
import type { Surroundings } from '../../ports/ports.ts';
import type { Connection } from './connection.ts';
import { KubernetesHub } from './kubernetes-hub.ts';
import { Pacer } from './pacing.ts';
import { createTransport } from './transport.ts';

const SLOW_MS = 1000;

type Around = Pick<Surroundings, 'settings' | 'telemetry'>;

export function connectHub(name: string, connection: Connection, { settings, telemetry }: Around): KubernetesHub {
  const transport = createTransport(connection, {
    maxSockets: settings.hubInFlight,
    timeoutMs: settings.hubTimeoutSeconds * 1000,
  });
  const pacer = new Pacer({
    max: settings.hubInFlight,
    slowMs: SLOW_MS,
    now: () => performance.now(),
    wait: async (ms) => wait(ms),
    onCut: (inFlight) => telemetry.outcome('EK200', { hub: name, inFlight }),
  });
  const onUnreadable = ({ reason, message }: Fault) =>
    telemetry.outcome('EK201', { hub: name, reason, error: message });
  return new KubernetesHub(name, { transport, pacer, onUnreadable });
}
