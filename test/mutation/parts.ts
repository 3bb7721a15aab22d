/**
 * The pure part of the product, in pieces for mutation testing: what is changed, and the tests that a change is shown to.
 * Few and quick ones, those at the same path first: each mutant runs all that reach it.
 */
export interface Part {
  readonly mutate: readonly string[];
  readonly tests: readonly string[];
}

const model = (folder: string) => [`shared/model/${folder}/**/*.ts`];
/** One by one: Stryker's command line takes a comma for the end of a name. */
const admission = (...names: readonly string[]) => names.map((name) => `shared/model/admission/${name}.ts`);
const testsOf = (folder: string) => [`test/shared/model/${folder}/**/*.test.ts`];

export const parts: Readonly<Record<string, Part>> = {
  root: {
    mutate: ['shared/model/*.ts'],
    tests: [
      'test/shared/model/*.test.ts',
      'test/functions/workload-rebalancer/{plan-rebalance,trigger-bindings,record-results,report-status,expire-rebalancer}.test.ts',
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
      'test/functions/rebalance-policy/{evaluate-policies,look-at-wave,observe-clusters}.test.ts',
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
};

/** By properties, seconds at every mutant they reach; the examples beside them say the same of single cases. */
export const slow = ['test/shared/model/**/*.properties.test.ts'];
