import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Cruise, cruiseTree } from '../../scripts/cruise.ts';

const { forbidden } = createRequire(import.meta.url)('../../.dependency-cruiser.cjs') as {
  forbidden: readonly { readonly name: string }[];
};
const layers = forbidden.flatMap(({ name }) => (name.startsWith('layer-') ? [name.slice('layer-'.length)] : []));

/** A rule, and one import that breaks it. */
const plants: readonly (readonly [rule: string, from: string, to: string])[] = [
  ...layers.flatMap((layer, i) => {
    const next = layers[i + 1] ?? '';
    return next === '' ? [] : [[`layer-${layer}`, `shared/${layer}/order.ts`, `shared/${next}/x.ts`] as const];
  }),
  ['layer-manifests', 'shared/manifests/order.ts', 'shared/later/x.ts'],
  ['pure-files', 'shared/karmada/a.ts', 'shared/karmada/list-all.ts'],
  ['decisions-are-pure', 'functions/scheduler/decide.ts', 'infra/x.ts'],
  ['functions-meet-on-the-bus', 'functions/resync/a.lambda.ts', 'functions/scheduler/b.ts'],
  ['functions-use-shared', 'functions/resync/b.lambda.ts', 'shared/kubernetes/client/x.ts'],
  ['sdks-in-adapters', 'functions/resync/c.lambda.ts', '@aws-sdk/client-dynamodb'],
  ['aws-sdk-in-adapters', 'cli/a.ts', '@aws-sdk/client-dynamodb'],
  ['decisions-reach-no-io', 'functions/scheduler/reach.ts', 'functions/scheduler/between.ts'],
  ['bridge-imports-shared', 'bridge/a.ts', 'local/bus.ts'],
  ['local-stands-below-cli', 'local/f.ts', 'cli/main.ts'],
  ['cli-imports-no-functions', 'cli/b.ts', 'functions/resync/d.lambda.ts'],
  ['scripts-and-benches-are-not-imported', 'cli/c.ts', 'scripts/a.ts'],
  ['benches-need-no-script', 'bench/b.ts', 'scripts/a.ts'],
  ['infra-names-by-path', 'infra/a.ts', 'functions/resync/d.lambda.ts'],
  ['shared-stands-below', 'shared/runtime/a.ts', 'local/bus.ts'],
  ['console-stands-alone', 'console/a.ts', 'cli/main.ts'],
  ['console-takes-types-only', 'console/b.ts', 'shared/console-api/operations.ts'],
  ['console-takes-types-only', 'shared/console-api/api-client.ts', 'shared/console-api/operations.ts'],
  ['console-is-served-not-imported', 'local/a.ts', 'console/main.ts'],
  ['product-does-not-import-tests', 'local/b.ts', 'test/builders.ts'],
  ['benches-start-the-rig', 'bench/a.ts', 'test/builders.ts'],
  ['no-unresolved', 'local/c.ts', 'no-such-package'],
  ['no-circles', 'local/d.ts', 'local/e.ts'],
];

let folder = '';
let cruise: Cruise;

/** All in one tree, for the check takes a second whatever it finds. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'layering-'));
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  symlinkSync(resolve('tsconfig.json'), join(folder, 'tsconfig.json'));
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  const froms = plants.map(([, from]) => from);
  for (const [, , to] of plants) if (to.endsWith('.ts') && !froms.includes(to)) write(to, 'export const x = 1;\n');
  for (const [, from, to] of plants) {
    const specifier = to.endsWith('.ts') ? `${'../'.repeat(from.split('/').length - 1)}${to}` : to;
    write(from, `import * as x from '${specifier}';\nexport const y = x;\n`);
  }
  write('functions/scheduler/between.ts', `import '../../shared/karmada/list-all.ts';\nexport const x = 1;\n`);
  write('local/e.ts', `import { y } from './d.ts';\nexport const x = () => y;\n`);
  cruise = await cruiseTree(folder, [...new Set(froms.map((from) => from.split('/')[0] ?? ''))]);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the layering check can fail', () => {
  it('by each of its rules', () => {
    expect([...new Set(plants.map(([rule]) => rule))].toSorted()).toEqual(forbidden.map(({ name }) => name).toSorted());
  });

  it.each(plants)('%s', (rule, from) => {
    expect(cruise.violations.filter((violation) => violation.from === from).map((each) => each.rule)).toContain(rule);
  });
});
