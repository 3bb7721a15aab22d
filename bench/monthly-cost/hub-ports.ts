/** The ports of an instance of a function as on AWS: each function caches hub records, connections and circuits for itself. */
import { setTimeout as wait } from 'node:timers/promises';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { AllPorts } from '../../local/all-ports.ts';
import { DynamoDbAssignmentStore } from '../../shared/aws/dynamodb/dynamodb-assignment-store.ts';
import { DynamoDbDeschedulingStore } from '../../shared/aws/dynamodb/dynamodb-descheduling-store.ts';
import { DynamoDbElasticStore } from '../../shared/aws/dynamodb/dynamodb-elastic-store.ts';
import { DynamoDbExternalEventStore } from '../../shared/aws/dynamodb/dynamodb-external-event-store.ts';
import { DynamoDbHistoryStore } from '../../shared/aws/dynamodb/dynamodb-history-store.ts';
import { DynamoDbHubCircuits } from '../../shared/aws/dynamodb/dynamodb-hub-circuits.ts';
import { DynamoDbHubRegistry } from '../../shared/aws/dynamodb/dynamodb-hub-registry.ts';
import { DynamoDbMoveLedger } from '../../shared/aws/dynamodb/dynamodb-move-ledger.ts';
import { DynamoDbPolicyStore } from '../../shared/aws/dynamodb/dynamodb-policy-store.ts';
import { DynamoDbResyncPositions } from '../../shared/aws/dynamodb/dynamodb-resync-positions.ts';
import { DynamoDbTaskStore } from '../../shared/aws/dynamodb/dynamodb-task-store.ts';
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
  const circuits = new DynamoDbHubCircuits(table, TABLE);
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
    tasks: new DynamoDbTaskStore(table, TABLE),
    descheduling: new DynamoDbDeschedulingStore(table, TABLE),
    policies: new DynamoDbPolicyStore(table, TABLE),
    elastic: new DynamoDbElasticStore(table, TABLE),
    externalEvents: new DynamoDbExternalEventStore(table, TABLE),
    history: new DynamoDbHistoryStore(table, TABLE),
    instances: { clustersOf: async () => new Map() },
    positions: new DynamoDbResyncPositions(table, TABLE),
    assignments: new DynamoDbAssignmentStore(table, TABLE),
    ledger: new DynamoDbMoveLedger(table, TABLE),
    estimators: new HubEstimators({ hubs, timeoutMs, now }),
  };
}
