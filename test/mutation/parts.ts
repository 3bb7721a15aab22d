/**
 * The product in pieces for mutation testing: what is changed, and the tests that a change is shown to.
 * Few and quick ones, those at the same path first: each mutant runs all that reach it.
 */
export interface Part {
  readonly mutate: readonly string[];
  readonly tests: readonly string[];
  /** Only one unit in so many is changed (sample.ts): a top-level statement or a class member. Absent: all of them. */
  readonly oneIn?: number;
  /** How long a test and a mutant may take: short where a mutant leaves a test waiting for an answer. */
  readonly timeoutMs?: number;
}

const folder = (name: string) => [`shared/${name}/**/*.ts`];
const testsOf = (name: string) => [`test/shared/${name}/**/*.test.ts`];

/** Files that do I/O by ports, in the folders of their subjects. */
const INPUT_OUTPUT = ['list', 'read', 'write', 'retry'].map((verb) => `shared/*/${verb}-*.ts`);
const noInputOutput = INPUT_OUTPUT.map((glob) => `!${glob}`);
/** One by one: Stryker's command line takes a comma for the end of a name. */
const rebalancerRules = ['shared/workload-rebalancer/rebalancer-rules.ts', 'shared/rebalance-policy/wave-rules.ts'];
const reductionRules = ['queue-entry', 'reduction-rules', 'hold-rules'].map(
  (name) => `shared/graceful-reduction/${name}.ts`,
);
const estimates = ['estimate-capacity', 'ask-clusters', 'ask-unschedulable'].map(
  (name) => `shared/estimator/${name}.ts`,
);
const not = (globs: readonly string[]) => globs.map((glob) => `!${glob}`);

/** Impure code may wait for an answer that a mutant keeps back. */
const WAITING_MS = 20_000;

export const parts: Readonly<Record<string, Part>> = {
  root: {
    mutate: [
      ...['shared/core/*.ts', '!shared/core/settings.ts', '!shared/core/environment.ts', 'shared/kubernetes/*.ts'],
      ...['shared/karmada/*.ts', 'shared/workload-rebalancer/*.ts', '!shared/workload-rebalancer/rebalancer-rules.ts'],
      ...['shared/descheduling/*.ts', 'shared/bus/unknown-queue.ts', ...noInputOutput],
    ],
    tests: [
      'test/shared/{core,kubernetes,karmada,descheduling}/*.test.ts',
      'test/shared/workload-rebalancer/{rebalance-task,task-transitions,workload-rebalancer}.test.ts',
      'test/functions/workload-rebalancer/{plan-rebalance,trigger-bindings,record-results,report-status,expire-rebalancer,confirm-rescheduling}.test.ts',
      'test/functions/descheduler/decide-eviction.test.ts',
      // What both CRDs are made of.
      'test/shared/{elastic-workload/elastic-workload-crd,rebalance-policy/policy-crd}.test.ts',
    ],
  },
  assignment: {
    mutate: [...folder('karmada/assignment'), ...folder('scheduler'), ...noInputOutput],
    tests: [
      ...testsOf('karmada/assignment'),
      ...testsOf('scheduler'),
      // What decides what is written to a binding.
      'test/functions/scheduler/*.test.ts',
      'test/functions/workload-rebalancer/{scheduled-triggers,scheduled-triggers-faults,preserve-available}.test.ts',
    ],
  },
  'graceful-reduction': {
    mutate: [...folder('graceful-reduction'), ...not(reductionRules), ...noInputOutput],
    tests: [
      'test/shared/graceful-reduction/{decide-reductions,holds,reduction-policy,replica-reduction,unheld-reductions}*.test.ts',
    ],
  },
  'rebalance-policy': {
    mutate: [...folder('rebalance-policy'), '!shared/rebalance-policy/wave-rules.ts', ...noInputOutput],
    tests: [
      'test/shared/rebalance-policy/!(wave-rules).test.ts',
      'test/functions/rebalance-policy/{evaluate-policies,observe-wave,observe-clusters}.test.ts',
    ],
  },
  'placement-history': {
    mutate: [
      ...folder('placement-history'),
      ...['shared/console-api/history-text.ts', 'shared/console-api/diff-*.ts', ...noInputOutput],
    ],
    tests: [
      'test/{functions,shared}/placement-history/*.test.ts',
      'test/shared/console-api/{diff,history}-text.test.ts',
      'test/functions/console-api/diff-view.test.ts',
      'test/console/workload/recorded-placements.test.ts',
      'test/cli/operator/history.test.ts',
    ],
  },
  'external-events': {
    mutate: [...folder('external-events'), ...noInputOutput],
    tests: [...testsOf('external-events'), 'test/functions/external-events/events.test.ts'],
  },
  'move-budget': { mutate: [...folder('move-budget'), ...noInputOutput], tests: testsOf('move-budget') },
  'elastic-workload': { mutate: [...folder('elastic-workload'), ...noInputOutput], tests: testsOf('elastic-workload') },
  // What rules are made of is read when a file is loaded: a change there is shown to every test, so to the rules' own only.
  admission: {
    mutate: folder('admission'),
    tests: [
      'test/shared/admission/{evaluate-rules,apply-patch}.test.ts',
      'test/shared/rebalance-policy/wave-rules.test.ts',
      'test/shared/graceful-reduction/{reduction-rules,hold-rules}.test.ts',
    ],
  },
  'rebalancer-admission': {
    mutate: rebalancerRules,
    tests: [
      'test/shared/rebalance-policy/wave-rules.test.ts',
      'test/shared/workload-rebalancer/rebalancer-rules.test.ts',
      'test/shared/admission/concerns.test.ts',
    ],
  },
  'reduction-admission': {
    mutate: reductionRules,
    tests: [
      'test/shared/graceful-reduction/{reduction-rules,hold-rules,hold-rules.adversarial}.test.ts',
      'test/shared/admission/concerns.test.ts',
    ],
  },
  // Conditions and consistency of every request: all of it. The proxy of its tests rejects what dynalite lets pass.
  dynamodb: {
    mutate: folder('aws/dynamodb'),
    tests: ['test/shared/aws/dynamodb/dynamodb-*.test.ts'],
    timeoutMs: WAITING_MS,
  },
  'aws-adapters': {
    mutate: [...folder('aws'), '!shared/aws/dynamodb/*.ts', 'shared/console-api/invoke-operation.ts'],
    tests: [
      'test/shared/aws/{*,secrets-manager/*,sqs/*}.test.ts',
      'test/shared/console-api/invoke-operation.test.ts',
      'test/functions/hub-connection/renewal.test.ts',
      // What only the command line uses: secrets of hubs, subscriptions of their logs.
      'test/cli/hub-connections.test.ts',
    ],
    oneIn: 4,
    timeoutMs: WAITING_MS,
  },
  'hub-adapters': {
    mutate: [...folder('kubernetes/client'), ...folder('estimator'), ...not(estimates), '!**/estimator_pb.ts'],
    tests: ['test/shared/{kubernetes/client,estimator}/*.test.ts', 'test/shared/aws/hub-estimators.test.ts'],
    oneIn: 4,
    timeoutMs: WAITING_MS,
  },
  edge: {
    mutate: [
      ...[
        'shared/runtime/*.ts',
        'shared/console-api/console-*.ts',
        'shared/console-api/operation-task.ts',
        'shared/console-api/operations-app.ts',
      ],
      ...['shared/console-api/remembered.ts', 'shared/console-api/remembered-reach.ts', ...INPUT_OUTPUT, ...estimates],
    ],
    tests: [
      'test/shared/runtime/*.test.ts',
      'test/shared/console-api/{console-app,operations-app,operation-task,remembered}.test.ts',
      'test/shared/{estimator/ask-clusters,karmada/read-clusters}.test.ts',
      'test/functions/cluster-hook/read-audit-log.test.ts',
      'test/functions/console-api/answers.test.ts',
      // Which read whole fleets of both kinds.
      'test/functions/elastic-workload/{balance-replicas,bad-objects,find-workloads,rival,shared-target,scaled-meanwhile,target-changed,works-left-behind}.test.ts',
      // The files of resync, hub records and reductions that do I/O.
      'test/functions/resync/{changed-bindings,features-of-a-hub,find-drift}.test.ts',
      'test/functions/console-api/hub-commands.test.ts',
      'test/functions/{hub-pause,graceful-reduction/cases,graceful-reduction/moves}.test.ts',
      'test/functions/rebalance-policy/stories.test.ts',
      'test/functions/workload-rebalancer/{scheduled-triggers,preserve-available}.test.ts',
      'test/cli/plan-{elastic,policy-hub}.test.ts',
    ],
    oneIn: 12,
    timeoutMs: WAITING_MS,
  },
  shells: {
    mutate: ['functions/!(console-api)/*.lambda.ts'],
    tests: [
      'test/functions/cluster-hook/{admit-change,read-audit-log,review-admission,two-hubs}.test.ts',
      'test/functions/{descheduler/descheduling,hub-connection/renewal,hub-pause}.test.ts',
      'test/functions/elastic-workload/{balance-replicas,find-workloads,works-left-behind}.test.ts',
      'test/functions/graceful-reduction/{cases,moves,functions-away,hubs-without-reductions}.test.ts',
      'test/functions/main-job/{clocks-apart,deletion,edits,life,one-bad-binding,passing-errors,rescheduling,resync-alone,triggers}.test.ts',
      'test/functions/rebalance-policy/{runs,stories,late-deliveries,hubs-without-policies}.test.ts',
      'test/functions/{resync,scheduler}/*.test.ts',
      'test/functions/workload-rebalancer/scheduled-triggers.test.ts',
    ],
    oneIn: 8,
    timeoutMs: WAITING_MS,
  },
  'console-api': {
    mutate: [
      ...['functions/console-api/*.ts', 'shared/console-api/operation.ts'],
      ...['api-client', 'health-findings', 'operations', 'error-response', 'subject'].map(
        (name) => `shared/console-api/${name}.ts`,
      ),
    ],
    tests: [
      'test/functions/{hub-pause,console-api/*}.test.ts',
      'test/shared/console-api/{api-client,error-response,health-findings,subject,whole-number,operation-*,operations-*,invoke-operation}.test.ts',
    ],
    oneIn: 2,
    timeoutMs: WAITING_MS,
  },
  bridge: {
    mutate: ['bridge/*.ts'],
    tests: ['test/bridge/*.test.ts', 'test/house/watched-kinds.test.ts'],
    oneIn: 2,
    timeoutMs: WAITING_MS,
  },
  cli: {
    mutate: ['cli/**/*.ts'],
    tests: [
      'test/cli/{check,completion,manifests,operator,rebalance}/*.test.ts',
      'test/cli/{every-command,hub-check,hub-connections,plan*,rebalance,release,start,terminal}.test.ts',
    ],
    oneIn: 25,
    timeoutMs: WAITING_MS,
  },
  local: {
    mutate: ['local/*.ts'],
    tests: [
      'test/local/{bus,cleanup,data-folder,fair-order,full-disk,functions,hook-access,hook-server,local-hubs,local-queues}.test.ts',
      'test/local/{options,practice,run,schedule,stack,telemetry,tips}.test.ts',
    ],
    oneIn: 5,
    timeoutMs: WAITING_MS,
  },
  infra: {
    mutate: ['infra/**/*.ts'],
    tests: ['test/infra/{bundle,console,given,grants,hook,network,routes,sent-metrics,snapshot,state}.test.ts'],
    oneIn: 12,
    timeoutMs: WAITING_MS,
  },
};

/** By properties, seconds at every mutant they reach; the examples beside them cover the same in single cases. */
export const slow = ['test/shared/**/*.properties.test.ts'];
