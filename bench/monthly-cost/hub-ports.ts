/** The ports of an instance of a function as on AWS: each function caches hub records, connections and circuits for itself. */
import { setTimeout as wait } from 'node:timers/promises';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { AllPorts } from '../../local/all-ports.ts';
import { DynamoDbHubRegistry } from '../../shared/aws/dynamodb/dynamodb-hub-registry.ts';
import { storesOn } from '../../shared/aws/dynamodb/local-table.ts';
import { HubEstimators } from '../../shared/aws/hub-estimators.ts';
import { HubRecords } from '../../shared/aws/hub-records.ts';
import { RegistryHookAccess } from '../../shared/aws/registry-hook-access.ts';
import { SecretConnections } from '../../shared/aws/secrets-manager/secret-connections.ts';
import { SecretHubs } from '../../shared/aws/secrets-manager/secret-hubs.ts';
import type { InvocationContext } from '../../shared/core/invocation.ts';
import { CircuitBreaker } from '../../shared/kubernetes/client/circuit-breaker.ts';
import type { HubHandle } from '../../shared/kubernetes/client/connect-hub.ts';
import type { Connection } from '../../shared/kubernetes/client/connection.ts';
import { createTransport } from '../../shared/kubernetes/client/transport.ts';
import { hubOn, TABLE } from '../function-cost/deployment.ts';
import type { HubCounter } from './hub-counts.ts';

/** Latency of Secrets Manager within a region, in milliseconds. */
export const SECRET_MS = 15;

export interface PortsOptions {
  readonly table: DynamoDBClient;
  readonly counter: HubCounter;
  readonly context: InvocationContext;
  /** The text of each hub's secret. */
  readonly secret: () => string;
}

export type StoredPorts = Omit<AllPorts, 'bus' | 'schedule' | 'queues' | 'logs'>;

export function portsOn({ table, counter, context, secret }: PortsOptions): StoredPorts {
  const { settings, now } = context;
  const registry = new DynamoDbHubRegistry(table, TABLE, () => {});
  const { circuits, budgets: _, ...stores } = storesOn(table, TABLE);
  const records = new HubRecords({ registry, now, onStale: () => {} });
  const secrets = {
    read: async () => {
      counter.secretReads += 1;
      await wait(SECRET_MS);
      return { text: secret(), version: '1' };
    },
    write: async () => 'done' as const,
  };
  const open = (hub: string, connection: Connection): HubHandle => {
    const transport = createTransport(connection, {
      maxSockets: settings.hubInFlight,
      timeoutMs: settings.hubTimeoutSeconds * 1000,
    });
    const breaker = new CircuitBreaker({ hub, circuits, now });
    return { hub: hubOn(transport, counter, breaker), isIdle: () => true, close: () => transport.close() };
  };
  const keepMs = settings.hubConnectionSeconds * 1000;
  const hubs = new SecretHubs({ deployment: TABLE, records, secrets, keepMs, now, open });
  const timeoutMs = settings.estimatorTimeoutSeconds * 1000;
  return {
    hubs,
    registry,
    hookAccess: new RegistryHookAccess(records),
    connections: new SecretConnections({ deployment: TABLE, registry, store: secrets, timeoutMs }),
    ...stores,
    instances: { clustersOf: async () => new Map() },
    estimators: new HubEstimators({ hubs, timeoutMs, now }),
  };
}
