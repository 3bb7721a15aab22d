// Import rules between folders. test/house/layering.test.ts shows that each rule can fail.
const only = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

const zod = '(^|/)node_modules/zod/';
/** Evaluates admission rules: neither clock nor I/O in it. */
const cel = '(^|/)node_modules/@marcbachmann/cel-js/';
/** Computes calendars from a given time; it reads no clock. */
const cron = '(^|/)node_modules/croner/';

/** The folders of shared, the lowest first. */
const layers = [
  ...['core', 'kubernetes', 'admission', 'karmada', 'workload-rebalancer', 'graceful-reduction', 'descheduling'],
  ...[
    'external-events',
    'rebalance-policy',
    'move-budget',
    'elastic-workload',
    'placement-history',
    'bus',
    'estimator',
    'aws',
    'runtime',
    'scheduler',
    'console-api',
    'manifests',
  ],
];
/** Files of shared that do I/O: whole folders, and in the others those that are named list-, read-, write- or retry-. */
const io =
  '^shared/(aws/|runtime/|core/tracing\\.|kubernetes/client/|estimator/(?!estimator\\.ts)|console-api/(console-|operation-task|operations-app|invoke-|remembered)|[^/]+/(list|read|write|retry)-)';

/** Of functions: handlers, and the writes that several of them share. */
const shells = '^functions/.*(\\.lambda|/write-[^/]*)\\.ts$';

/** What the page and the command line share: the client, texts, and what these need, all without a schema. */
const client =
  '^shared/(console-api/(api-client|history-text|diff-text)|placement-history/placement-row|core/time)\\.ts$';

module.exports = {
  forbidden: [
    only('no-circles', 'A circle has no inside.', {}, { circular: true }),
    only(
      'no-unresolved',
      'Every import resolves (aws-lambda has types only, under another name).',
      {},
      { couldNotResolve: true, pathNot: '^aws-lambda$' },
    ),
    ...layers.map((layer, i) =>
      only(
        `layer-${layer}`,
        'The folders of shared are layers: each imports only the ones before it.',
        { path: `^shared/${layer}/` },
        { path: `^shared/(?!(${layers.slice(0, i + 1).join('|')})/)` },
      ),
    ),
    only(
      'pure-files',
      'Everything in shared that does no I/O: itself, zod, CEL, cron and the hash of node:crypto only.',
      { path: '^shared/', pathNot: [io, '^shared/manifests/'] },
      { path: '.', pathNot: [`^shared/(?!${io.replaceAll('^shared/', '')})`, zod, cel, cron, '^crypto$'] },
    ),
    only(
      'decisions-are-pure',
      'x.ts decides: it imports shared and other decisions of its own component.',
      { path: '^functions/', pathNot: shells },
      { pathNot: ['^shared/', '^functions/', zod] },
    ),
    only(
      'decisions-reach-no-io',
      'Nothing that a decision imports, at any distance, does I/O.',
      { path: '^functions/', pathNot: shells },
      { path: io, reachable: true },
    ),
    only(
      'functions-meet-on-the-bus',
      'A function never imports another component.',
      { path: '^functions/([^/]+)/' },
      { path: '^functions/', pathNot: '^functions/$1/' },
    ),
    only(
      'functions-use-shared',
      'A shell uses the outside only through shared, and a hub only through its port.',
      { path: shells },
      { pathNot: '^(shared/(?!kubernetes/client/|manifests/)|functions/)' },
    ),
    only(
      'sdks-in-adapters',
      'SDKs are imported only by files that do I/O (and by what builds on a kubeconfig, in local and cli).',
      { path: '^(functions|shared)/', pathNot: io },
      {
        path: '(^|/)node_modules/(@aws-sdk|@smithy|@kubernetes|@middy|@aws-lambda-powertools|@connectrpc|@bufbuild|dynalite|undici)',
      },
    ),
    only(
      'aws-sdk-in-adapters',
      'The AWS SDK is named in shared/aws, and in the client that invokes the console API.',
      {
        path: '^(functions|shared|local|bridge|cli|infra)/',
        pathNot: '^(shared/aws/|shared/console-api/invoke-operation|local/stack)',
      },
      { path: '(^|/)node_modules/(@aws-sdk|@smithy)' },
    ),
    only(
      'infra-names-by-path',
      'infra names function entries by path, never by import.',
      { path: '^infra/' },
      { path: '^(functions|local|bridge|cli|console|bench|scripts|test)/' },
    ),
    only(
      'bridge-imports-shared',
      'The bridge is a process of its own.',
      { path: '^bridge/' },
      { path: '^(functions|infra|local|cli|console|bench|scripts|test)/' },
    ),
    only(
      'local-stands-below-cli',
      'The command line starts a local run; a local run knows no command.',
      { path: '^local/' },
      { path: '^(cli|bridge|console|bench|scripts|test)/' },
    ),
    only(
      'cli-imports-no-functions',
      'The command line calls functions on AWS or in a local run, never by import.',
      { path: '^cli/' },
      { path: '^(functions|console|bench|scripts|test)/' },
    ),
    only(
      'scripts-and-benches-are-not-imported',
      'Nothing of the product needs a script or a benchmark.',
      { pathNot: '^(scripts|bench|test)/' },
      { path: '^(scripts|bench)/' },
    ),
    only('benches-need-no-script', 'Bundling stands in infra/bundling.', { path: '^bench/' }, { path: '^scripts/' }),
    only(
      'shared-stands-below',
      'shared never reaches up.',
      { path: '^shared/' },
      { path: '^(functions|infra|local|bridge|cli|console|bench|scripts|test)/' },
    ),
    only(
      'console-stands-alone',
      'The page is bundled for a browser: itself, its libraries and types of the operations.',
      { path: '^console/' },
      { pathNot: ['^console/', '(^|/)node_modules/(preact|@preact/signals|uplot|yaml)/', '^shared/console-api/'] },
    ),
    only(
      'console-takes-types-only',
      'No schema goes into the bundle: the page takes types, and the client of the API and texts, which take types too.',
      { path: `^console/|${client}` },
      { path: '^shared/', pathNot: client, dependencyTypesNot: ['type-only'] },
    ),
    only(
      'console-is-served-not-imported',
      'Others see the page as built files.',
      { pathNot: '^(console|test)/' },
      { path: '^console/' },
    ),
    only(
      'product-does-not-import-tests',
      'Nothing of the product imports test code.',
      { pathNot: '^(test|bench)/' },
      { path: '^test/' },
    ),
    only(
      'benches-start-the-rig',
      'A bench brings real parts up by the rig, has stores in memory, and knows nothing else of the tests.',
      { path: '^bench/' },
      { path: '^test/', pathNot: '^test/(rig/|fakes/stores/)' },
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.js', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
    },
  },
};
