/** The ports of all functions, for a process that runs every one of them. */
import type { DeschedulingStore } from '../shared/ports/descheduling-store.ts';
import type { ElasticStore } from '../shared/ports/elastic-store.ts';
import type { Estimators } from '../shared/ports/estimator.ts';
import type { EventBus } from '../shared/ports/event-bus.ts';
import type { HookAccess } from '../shared/ports/hook-access.ts';
import type { Hubs } from '../shared/ports/hub.ts';
import type { HubConnections } from '../shared/ports/hub-connections.ts';
import type { LogReader } from '../shared/ports/log-reader.ts';
import type { OneTimeSchedule } from '../shared/ports/one-time-schedule.ts';
import type { PolicyStore } from '../shared/ports/policy-store.ts';
import type { Queues } from '../shared/ports/queues.ts';
import type { TaskStore } from '../shared/ports/task-store.ts';

export interface AllPorts {
  readonly hubs: Hubs;
  readonly hookAccess: HookAccess;
  readonly connections: HubConnections;
  readonly tasks: TaskStore;
  readonly descheduling: DeschedulingStore;
  readonly policies: PolicyStore;
  readonly elastic: ElasticStore;
  readonly estimators: Estimators;
  readonly bus: EventBus;
  readonly schedule: OneTimeSchedule;
  readonly queues: Queues;
  readonly logs: LogReader;
}
