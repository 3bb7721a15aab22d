/** Every operation by name. docs/reference/openapi.json is generated from this; the API, the command line and the page use it. */
import type * as z from 'zod/mini';
import type { Operation } from './operation.ts';
import { listBudgets } from './operations/budgets.ts';
import { drainCluster, uncordonCluster } from './operations/clusters.ts';
import { getRun, listDecisions, listRuns } from './operations/decisions.ts';
import { getRunDiff, getTaskDiff } from './operations/diffs.ts';
import { getFleet, getWorkload, traceBinding } from './operations/fleet.ts';
import { getHealth, listDeadLetters, redriveDeadLetters } from './operations/health.ts';
import { getClusterHistory, listPlacements } from './operations/history.ts';
import {
  about,
  getHub,
  getHubHealth,
  listHeld,
  listHubs,
  pauseHub,
  registerHub,
  removeHub,
  resumeHub,
  resyncHub,
  setHub,
} from './operations/hubs.ts';
import { getObject } from './operations/objects.ts';
import { listPolicies, previewPolicy, selectObjects } from './operations/policies.ts';
import { failCluster, failHub, recoverCluster, recoverHub, slowPods } from './operations/practice.ts';
import { createRebalancer, getTask, listTasks } from './operations/tasks.ts';
import type { Subject } from './subject.ts';

export const operations = {
  about,
  listHubs,
  getHub,
  getHubHealth,
  listHeld,
  getFleet,
  getWorkload,
  traceBinding,
  listPlacements,
  getClusterHistory,
  listTasks,
  getTask,
  getTaskDiff,
  listDecisions,
  listRuns,
  getRun,
  getRunDiff,
  listPolicies,
  previewPolicy,
  listBudgets,
  selectObjects,
  getObject,
  getHealth,
  listDeadLetters,
  createRebalancer,
  drainCluster,
  uncordonCluster,
  redriveDeadLetters,
  pauseHub,
  resumeHub,
  resyncHub,
  registerHub,
  setHub,
  removeHub,
  failCluster,
  recoverCluster,
  slowPods,
  failHub,
  recoverHub,
} as const satisfies Record<string, Operation>;

export type Operations = typeof operations;
export type OperationName = keyof Operations;
/** Input of a caller: fields with a default may be omitted. */
export type InputOf<N extends OperationName> = z.input<Operations[N]['input']>;
export type OutputOf<N extends OperationName> = z.output<Operations[N]['output']>;
export type NamesOf<K extends Operation['kind']> = {
  readonly [N in OperationName]: Operations[N]['kind'] extends K ? N : never;
}[OperationName];

/** The answering side: the functions themselves, or a client of theirs. `by`: the user, if the client is not the user itself. Throws a Fault whose message is for users. */
export type Ask = <N extends OperationName>(name: N, input: InputOf<N>, by?: Subject) => Promise<OutputOf<N>>;
