/** Creates the client of a hub from its connection. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Fault } from '../../core/fault.ts';
import type { InvocationContext } from '../../core/invocation.ts';
import type { Hub } from '../hub.ts';
import type { Share } from '../hub-budget.ts';
import type { CircuitBreaker } from './circuit-breaker.ts';
import { ConcurrencyLimiter } from './concurrency-limiter.ts';
import type { Connection } from './connection.ts';
import { type Credential, credentialOf, type EksTokens } from './credential.ts';
import { LimitedHubClient } from './hub-client.ts';
import { KubernetesHub } from './kubernetes-hub.ts';
import { createTransport, type Transport } from './transport.ts';

interface ConnectOptions extends Pick<InvocationContext, 'settings' | 'telemetry'> {
  /** Absent for a client of one user. */
  readonly breaker?: CircuitBreaker | undefined;
  /** Takes a share of the hub's budget. Absent for a client of one user. */
  readonly share?: (() => Promise<Share>) | undefined;
  /** Absent without an invocation deadline: requests then have only their own timeout. */
  readonly timeLeft?: InvocationContext['timeLeft'];
  readonly eksTokens?: EksTokens | undefined;
  /** Reads the connection again after the hub rejected its credential. */
  readonly reload?: (() => Promise<Connection>) | undefined;
}

/** A hub with its pool of connections. */
export interface HubHandle {
  readonly hub: Hub;
  /** Whether no request is in flight or waits. */
  isIdle(): boolean;
  /** Closes its sockets. A request that is sent afterwards opens another. */
  close(): void;
}

export function connectHub(name: string, connection: Connection, context: ConnectOptions): Hub {
  return openHub(name, connection, context).hub;
}

export function openHub(name: string, connection: Connection, context: ConnectOptions): HubHandle {
  const { settings, telemetry, reload } = context;
  const limiter = new ConcurrencyLimiter({
    max: settings.hubInFlight,
    now: () => performance.now(),
    wait: async (ms) => wait(ms),
    timeLeft: context.timeLeft,
    share: context.share,
    onCut: (inFlight) => telemetry.outcome('EK200', { hub: name, inFlight }),
  });
  const onUnreadable = ({ reason, message }: Fault) =>
    telemetry.outcome('EK201', { hub: name, reason, error: message });
  let session = openSession(connection, context);
  const renew = async (): Promise<Transport> => {
    session.credential.forget();
    const fresh = reload === undefined ? session.connection : await reload();
    // An unchanged connection keeps its pool; a credential that is generated or read here is renewed anyway. A replaced pool
    // is not closed, because requests on it may be in flight.
    if (JSON.stringify(fresh) !== JSON.stringify(session.connection)) session = openSession(fresh, context);
    return session.transport;
  };
  const fixed = reload === undefined && connection.tokenFile === undefined && connection.eksCluster === undefined;
  const { breaker } = context;
  const parts = { transport: session.transport, limiter, breaker };
  const client = new LimitedHubClient({ ...parts, renew: fixed ? undefined : renew });
  return {
    hub: new KubernetesHub(name, { client, onUnreadable }),
    isIdle: () => limiter.isIdle,
    close: () => session.transport.close(),
  };
}

interface HubSession {
  readonly connection: Connection;
  readonly credential: Credential;
  readonly transport: Transport;
}

function openSession(connection: Connection, { settings, eksTokens }: ConnectOptions): HubSession {
  const credential = credentialOf(connection, { eksTokens });
  const transport = createTransport(connection, {
    maxSockets: settings.hubInFlight,
    timeoutMs: settings.hubTimeoutSeconds * 1000,
    credential,
  });
  return { connection, credential, transport };
}
