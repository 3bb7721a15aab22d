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

const model = (folder: string) => [`shared/model/${folder}/**/*.ts`];
/** One by one: Stryker's command line takes a comma for the end of a name. */
const admission = (...names: readonly string[]) => names.map((name) => `shared/model/admission/${name}.ts`);
const testsOf = (folder: string) => [`test/shared/model/${folder}/**/*.test.ts`];

/** Folders of shared/adapters. */
const adapters = (...folders: readonly string[]) => folders.map((folder) => `shared/adapters/${folder}/*.ts`);
const AWS_ADAPTERS = [
  'aws',
  'cloudwatch',
  'eks',
  'eventbridge',
  'lambda',
  'memory',
  'powertools',
  'scheduler',
  'secrets-manager',
  'sqs',
];

/** Impure code may wait for an answer that a mutant keeps back. */
const WAITING_MS = 20_000;

export const parts: Readonly<Record<string, Part>> = {
  root: {
    mutate: ['shared/model/*.ts'],
    tests: [
      'test/shared/model/*.test.ts',
      'test/functions/workload-rebalancer/{plan-rebalance,trigger-bindings,record-results,report-status,expire-rebalancer,confirm-rescheduling}.test.ts',
      'test/functions/descheduler/decide-eviction.test.ts',
      // What both CRDs are made of.
      'test/shared/model/{elastic-workload/elastic-workload-crd,rebalance-policy/policy-crd}.test.ts',
    ],
  },
  assignment: { mutate: model('assignment'), tests: testsOf('assignment') },
  'graceful-reduction': { mutate: model('graceful-reduction'), tests: testsOf('graceful-reduction') },
  'rebalance-policy': {
    mutate: model('rebalance-policy'),
    tests: [
      ...testsOf('rebalance-policy'),
      'test/functions/rebalance-policy/{evaluate-policies,observe-wave,observe-clusters}.test.ts',
    ],
  },
  'elastic-workload': { mutate: model('elastic-workload'), tests: testsOf('elastic-workload') },
  // What rules are made of is read when a file is loaded: a change there is shown to every test, so to the rules' own only.
  admission: {
    mutate: admission('admission-rules', 'evaluate-rules', 'apply-patch'),
    tests: ['test/shared/model/admission/{evaluate-rules,apply-patch,wave-rules,reduction-rules,hold-rules}.test.ts'],
  },
  'rebalancer-admission': {
    mutate: admission('rebalancer-rules', 'wave-rules'),
    tests: ['test/shared/model/admission/{wave-rules,rebalancer-rules,concerns}.test.ts'],
  },
  'reduction-admission': {
    mutate: admission('queue-entry', 'reduction-rules', 'hold-rules'),
    tests: ['test/shared/model/admission/{reduction-rules,hold-rules,hold-rules.adversarial,concerns}.test.ts'],
  },
  // Conditions and consistency of every request: all of it. The proxy of its tests rejects what dynalite lets pass.
  dynamodb: {
    mutate: adapters('dynamodb'),
    tests: ['test/shared/adapters/dynamodb-*.test.ts'],
    timeoutMs: WAITING_MS,
  },
  'aws-adapters': {
    mutate: adapters(...AWS_ADAPTERS),
    tests: [
      'test/shared/adapters/{aws-*,cloudwatch-log-reader,dead-letter,eks-tokens,eventbridge-*,invoke-operator,powertools-telemetry}.test.ts',
      'test/shared/adapters/{memory-*,secret-hook-access,secret-hubs,sqs-queues,sqs-source-queue}.test.ts',
      'test/functions/hub-connection/renewal.test.ts',
    ],
    oneIn: 4,
    timeoutMs: WAITING_MS,
  },
  'hub-adapters': {
    mutate: [...adapters('kubernetes', 'estimators', 'scheduler-estimator'), '!**/estimator_pb.ts'],
    tests: [
      'test/shared/adapters/{account-tokens,connect-hub,connection,credential,estimator-sessions,estimator-requests,grpc-estimator}.test.ts',
      'test/shared/adapters/{hub-estimators,hub-client,kubeconfig,kubernetes-hub,transport}.test.ts',
      'test/shared/adapters/{once-more,concurrency-limiter,refused-credentials}.test.ts',
    ],
    oneIn: 4,
    timeoutMs: WAITING_MS,
  },
  edge: {
    mutate: ['shared/edge/*.ts'],
    tests: [
      'test/shared/edge/*.test.ts',
      'test/functions/cluster-hook/read-audit-log.test.ts',
      'test/functions/operator/answers.test.ts',
      // Which read whole fleets of both kinds.
      'test/functions/elastic-workload/{find-workloads,rival,shared-target,scaled-meanwhile}.test.ts',
      'test/functions/rebalance-policy/stories.test.ts',
      'test/cli/plan-{elastic,policy-hub}.test.ts',
    ],
    oneIn: 4,
    timeoutMs: WAITING_MS,
  },
  shells: {
    mutate: ['functions/!(operator)/*.lambda.ts'],
    tests: [
      'test/functions/cluster-hook/{admit-change,read-audit-log,review-admission,two-hubs}.test.ts',
      'test/functions/{descheduler/descheduling,hub-connection/renewal,hub-pause}.test.ts',
      'test/functions/elastic-workload/{balance-replicas,find-workloads,works-left-behind}.test.ts',
      'test/functions/graceful-reduction/{cases,moves,functions-away,hubs-without-reductions}.test.ts',
      'test/functions/main-job/{clocks-apart,deletion,edits,life,one-bad-binding,passing-errors,rescheduling,resync-alone,triggers}.test.ts',
      'test/functions/rebalance-policy/{runs,stories,late-deliveries,hubs-without-policies}.test.ts',
      'test/functions/{resync,scheduler}/*.test.ts',
    ],
    oneIn: 8,
    timeoutMs: WAITING_MS,
  },
  operator: {
    mutate: ['functions/operator/*.ts', 'console/api.ts', 'shared/operator/*.ts'],
    tests: [
      'test/functions/{hub-pause,operator/*}.test.ts',
      'test/console/api.test.ts',
      'test/shared/operator/*.test.ts',
      'test/shared/edge/operator-*.test.ts',
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
      'test/local/{bus,cleanup,data-folder,full-disk,functions,hook-access,hook-server,local-hubs,local-queues}.test.ts',
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
export const slow = ['test/shared/model/**/*.properties.test.ts'];
