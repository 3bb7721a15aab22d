/** The API path of each operation, without the schemas. A test compares it with the table of operations. */
import type { OperationName } from '../shared/console-api/operations.ts';

export const operationPaths = {
  about: ['GET', '/about'],
  listHubs: ['GET', '/hubs'],
  listHeld: ['GET', '/hubs/{hub}/held'],
  getFleet: ['GET', '/hubs/{hub}/fleet'],
  getWorkload: ['GET', '/hubs/{hub}/bindings/{namespace}/{name}'],
  traceBinding: ['GET', '/hubs/{hub}/bindings/{namespace}/{name}/trace'],
  listTasks: ['GET', '/hubs/{hub}/tasks'],
  getTask: ['GET', '/hubs/{hub}/tasks/{name}'],
  listDecisions: ['GET', '/hubs/{hub}/decisions'],
  listRuns: ['GET', '/hubs/{hub}/runs'],
  getRun: ['GET', '/hubs/{hub}/runs/{run}'],
  getHealth: ['GET', '/health'],
  listDeadLetters: ['GET', '/dead-letters'],
  createRebalancer: ['POST', '/hubs/{hub}/rebalancers'],
  redriveDeadLetters: ['POST', '/dead-letters/redrive'],
  pauseHub: ['POST', '/hubs/{hub}/pause'],
  resumeHub: ['POST', '/hubs/{hub}/resume'],
  resyncHub: ['POST', '/hubs/{hub}/resync'],
  failCluster: ['POST', '/practice/clusters/{cluster}/fail'],
  recoverCluster: ['POST', '/practice/clusters/{cluster}/recover'],
  drainCluster: ['POST', '/practice/clusters/{cluster}/drain'],
  slowPods: ['POST', '/practice/clusters/{cluster}/slow-pods'],
} as const satisfies Readonly<Record<OperationName, readonly ['GET' | 'POST', string]>>;
