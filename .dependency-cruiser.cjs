// The house's one-way streets. test/house/layering.test.ts shows that each rule can fail.
const only = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

const zod = '(^|/)node_modules/zod/';
/** Evaluates admission rules: neither clock nor I/O in it. */
const cel = '(^|/)node_modules/@marcbachmann/cel-js/';
/** Reckons calendars: asked with a time, it looks at no clock. */
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
      'shared/model is pure: itself, zod, CEL and cron only.',
      { path: '^shared/model/' },
      { pathNot: ['^shared/model/', zod, cel, cron] },
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
      'decisions-are-pure',
      'x.ts decides: it imports the model, the events, other decisions of its own component and types of ports.',
      { path: '^functions/[^/]+/[^/]+(?<!\\.lambda)\\.ts$' },
      { pathNot: ['^shared/(model|events|ports|settings)', '^functions/', zod] },
    ),
    only(
      'functions-meet-on-the-bus',
      'A function never imports another component.',
      { path: '^functions/([^/]+)/' },
      { path: '^functions/', pathNot: '^functions/$1/' },
    ),
    only(
      'functions-use-edge-and-ports',
      'x.lambda.ts sees the outside only through shared/edge and ports.',
      { path: '^functions/.*\\.lambda\\.ts$' },
      { pathNot: '^(shared/(model|events|ports|edge|settings|functions)|functions/)' },
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
      'infra-names-by-path',
      'infra names function entries by path, never by import.',
      { path: '^infra/' },
      { path: '^(functions|local|bridge|cli|test)/' },
    ),
    only(
      'shared-stands-below',
      'shared never reaches up.',
      { path: '^shared/' },
      { path: '^(functions|infra|local|bridge|cli|console|bench|test)/' },
    ),
    only(
      'product-does-not-import-tests',
      'Nothing of the product imports test code.',
      { pathNot: '^test/' },
      { path: '^test/' },
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      extensions: ['.ts', '.js', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
    },
  },
};
