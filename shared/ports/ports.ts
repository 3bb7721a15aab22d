/** All ports by name, and how a task is run on those it uses. */
import type { Instant } from '../model/time.ts';
import type { Settings } from '../settings.ts';
import type { DeschedulingStore } from './descheduling-store.ts';
import type { ElasticStore } from './elastic-store.ts';
import type { Estimators } from './estimator.ts';
import type { EventBus } from './event-bus.ts';
import type { Hubs } from './hub.ts';
import type { HubConnections } from './hub-connections.ts';
import type { Journal } from './journal.ts';
import type { OneTimeSchedule } from './one-time-schedule.ts';
import type { PolicyStore } from './policy-store.ts';
import type { Queues } from './queues.ts';
import type { TaskStore } from './task-store.ts';
import type { Fields, Telemetry } from './telemetry.ts';

export interface Ports {
  readonly hubs: Hubs;
  readonly connections: HubConnections;
  readonly tasks: TaskStore;
  readonly descheduling: DeschedulingStore;
  readonly policies: PolicyStore;
  readonly elastic: ElasticStore;
  readonly estimators: Estimators;
  readonly bus: EventBus;
  readonly schedule: OneTimeSchedule;
  readonly queues: Queues;
  readonly journal: Journal;
}

/** What the edge always gives: the settings, a voice, the time and fresh ids. */
export interface Surroundings {
  readonly settings: Settings;
  readonly telemetry: Telemetry;
  readonly now: () => Instant;
  readonly newId: () => string;
}

/** How it came out: a reason in the field's words, and the fields that go on its one log line. */
export interface Outcome {
  readonly reason: string;
  readonly fields?: Fields;
}
