/** Opens a hub from its connection. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Fault } from '../../model/fault.ts';
import type { Surroundings } from '../../ports/ports.ts';
import type { Connection } from './connection.ts';
import { type Credential, credentialOf, type EksTokens } from './credential.ts';
import { HubLine } from './hub-line.ts';
import { KubernetesHub } from './kubernetes-hub.ts';
import { Pacer } from './pacing.ts';
import { createTransport, type Transport } from './transport.ts';

const SLOW_MS = 1000;

interface Around extends Pick<Surroundings, 'settings' | 'telemetry'> {
  readonly eksTokens?: EksTokens | undefined;
  /** Reads the connection anew, after the hub refused its credential. */
  readonly reload?: (() => Promise<Connection>) | undefined;
}

export function connectHub(name: string, connection: Connection, around: Around): KubernetesHub {
  const { settings, telemetry, reload } = around;
  const pacer = new Pacer({
    max: settings.hubInFlight,
    slowMs: SLOW_MS,
    now: () => performance.now(),
    wait: async (ms) => wait(ms),
    onCut: (inFlight) => telemetry.outcome('EK200', { hub: name, inFlight }),
  });
  const onUnreadable = ({ reason, message }: Fault) =>
    telemetry.outcome('EK201', { hub: name, reason, error: message });
  let way = openWay(connection, around);
  const renew = async (): Promise<Transport> => {
    way.credential.forget();
    const fresh = reload === undefined ? way.connection : await reload();
    // The same connection keeps its pool; its credential, where one is made or read here, is new all the same. A pool
    // that is left is not closed: what is under way on it may still be answered.
    if (JSON.stringify(fresh) !== JSON.stringify(way.connection)) way = openWay(fresh, around);
    return way.transport;
  };
  const fixed = reload === undefined && connection.tokenFile === undefined && connection.eksCluster === undefined;
  const line = new HubLine({ transport: way.transport, pacer, renew: fixed ? undefined : renew });
  return new KubernetesHub(name, { line, onUnreadable });
}

interface Way {
  readonly connection: Connection;
  readonly credential: Credential;
  readonly transport: Transport;
}

function openWay(connection: Connection, { settings, eksTokens }: Around): Way {
  const credential = credentialOf(connection, { eksTokens });
  const transport = createTransport(connection, {
    maxSockets: settings.hubInFlight,
    timeoutMs: settings.hubTimeoutSeconds * 1000,
    credential,
  });
  return { connection, credential, transport };
}
