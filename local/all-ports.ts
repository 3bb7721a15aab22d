/** The ports of all functions, for a process that runs every one of them. */

import type { EventBus } from '../shared/bus/event-bus.ts';
import type { OneTimeSchedule } from '../shared/bus/one-time-schedule.ts';
import type { Queues } from '../shared/bus/queues.ts';
import type { LogReader } from '../shared/core/log-reader.ts';
import type { DeschedulingStore } from '../shared/descheduling/descheduling-store.ts';
import type { ElasticStore } from '../shared/elastic-workload/elastic-store.ts';
import type { Estimators } from '../shared/estimator/estimator.ts';
import type { ExternalEventStore } from '../shared/external-events/external-event-store.ts';
import type { Instances } from '../shared/external-events/instances.ts';
import type { AssignmentStore } from '../shared/karmada/assignment/recent-assignments.ts';
import type { ResyncPositions } from '../shared/karmada/resync-position.ts';
import type { HookAccess } from '../shared/kubernetes/hook-access.ts';
import type { Hubs } from '../shared/kubernetes/hub.ts';
import type { HubConnections } from '../shared/kubernetes/hub-connections.ts';
import type { HubRegistry } from '../shared/kubernetes/hub-registry.ts';
import type { MoveLedger } from '../shared/move-budget/move-ledger.ts';
import type { HistoryStore } from '../shared/placement-history/history-store.ts';
import type { PolicyStore } from '../shared/rebalance-policy/policy-store.ts';
import type { TaskStore } from '../shared/workload-rebalancer/task-store.ts';

export interface AllPorts {
  readonly hubs: Hubs;
  readonly hookAccess: HookAccess;
  readonly connections: HubConnections;
  readonly registry: HubRegistry;
  readonly tasks: TaskStore;
  readonly descheduling: DeschedulingStore;
  readonly policies: PolicyStore;
  readonly elastic: ElasticStore;
  readonly positions: ResyncPositions;
  readonly assignments: AssignmentStore;
  readonly ledger: MoveLedger;
  readonly externalEvents: ExternalEventStore;
  readonly history: HistoryStore;
  readonly instances: Instances;
  readonly estimators: Estimators;
  readonly bus: EventBus;
  readonly schedule: OneTimeSchedule;
  readonly queues: Queues;
  readonly logs: LogReader;
}
