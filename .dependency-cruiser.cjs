// Import rules between folders. test/house/layering.test.ts shows that each rule can fail.
const only = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

const zod = '(^|/)node_modules/zod/';
/** Evaluates admission rules: neither clock nor I/O in it. */
const cel = '(^|/)node_modules/@marcbachmann/cel-js/';
/** Computes calendars from a given time; it reads no clock. */
const cron = '(^|/)node_modules/croner/';

module.exports = {
  forbidden: [
    only('no-circles', 'A circle has no inside.', {}, { circular: true }),
    only(
      'no-unresolved',
      'Every import resolves (aws-lambda has types only, under another name).',
      {},
      { couldNotResolve: true, pathNot: '^aws-lambda$' },
    ),
    only(
      'model-imports-itself',
      'shared/model is pure: itself, zod, CEL, cron and the hash of node:crypto only.',
      { path: '^shared/model/' },
      { pathNot: ['^shared/model/', zod, cel, cron, '^crypto$'] },
    ),
    only(
      'events-import-model',
      'The catalogue knows the model and nothing else.',
      { path: '^shared/events/' },
      { pathNot: ['^shared/(model|events)/', '^shared/functions\\.ts$', zod] },
    ),
    only(
      'ports-are-types',
      'A port names types of the model and the events.',
      { path: '^shared/ports/' },
      { pathNot: '^shared/((model|events|ports)/|settings\\.ts$)' },
    ),
    only(
      'operations-are-a-table',
      'shared/operator is the table of operations, without their implementation.',
      { path: '^shared/operator/' },
      { pathNot: ['^shared/(operator|model|events)/', zod] },
    ),
    only(
      'decisions-are-pure',
      'x.ts decides: it imports the model, the events, other decisions of its own component and types of ports.',
      { path: '^functions/[^/]+/[^/]+(?<!\\.lambda)\\.ts$' },
      { pathNot: ['^shared/(model|events|ports|operator|settings)', '^functions/', zod] },
    ),
    only(
      'functions-meet-on-the-bus',
      'A function never imports another component.',
      { path: '^functions/([^/]+)/' },
      { path: '^functions/', pathNot: '^functions/$1/' },
    ),
    only(
      'functions-use-edge-and-ports',
      'x.lambda.ts uses the outside only through shared/edge and the ports on AWS that it names.',
      { path: '^functions/.*\\.lambda\\.ts$' },
      {
        pathNot:
          '^(shared/(model|events|ports|operator|edge|settings|functions|adapters/(cloudwatch|dynamodb|estimators|eventbridge|scheduler|secrets-manager|sqs)/)|functions/)',
      },
    ),
    only(
      'sdks-in-adapters',
      'SDKs are reachable only from adapters (and what builds on a kubeconfig, in local and cli).',
      { path: '^(functions|shared)/', pathNot: '^shared/(adapters|edge)/' },
      {
        path: '(^|/)node_modules/(@aws-sdk|@smithy|@kubernetes|@middy|@aws-lambda-powertools|@connectrpc|@bufbuild|dynalite|undici)',
      },
    ),
    only(
      'aws-sdk-in-adapters',
      'The AWS SDK is named in adapters only.',
      { path: '^(functions|shared|local|bridge|cli|infra)/', pathNot: '^(shared/adapters/|local/stack)' },
      { path: '(^|/)node_modules/(@aws-sdk|@smithy)' },
    ),
    only(
      'decisions-reach-no-io',
      'Nothing that a decision imports, at any distance, reaches an adapter or a handler.',
      { path: '^functions/[^/]+/[^/]+(?<!\\.lambda)\\.ts$' },
      { path: '^shared/(adapters|edge)/', reachable: true },
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
      'The page is bundled for a browser: itself, its two libraries and types of the operations.',
      { path: '^console/' },
      { pathNot: ['^console/', '(^|/)node_modules/(preact|@preact/signals|uplot)/', '^shared/operator/'] },
    ),
    only(
      'console-takes-types-only',
      'No schema goes into the bundle.',
      { path: '^console/' },
      { path: '^shared/', dependencyTypesNot: ['type-only'] },
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
      'A bench brings real parts up by the rig, and stores in memory, and knows nothing else of the tests.',
      { path: '^bench/' },
      { path: '^test/', pathNot: '^test/(rig|fakes/stores)/' },
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
