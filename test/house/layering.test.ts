import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { cruiseTree } from '../../scripts/cruise.ts';

let folder = '';
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A small tree with one import that breaks one rule. */
function plant(from: string, to: string): string {
  folder = mkdtempSync(join(tmpdir(), 'layering-'));
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  symlinkSync(resolve('tsconfig.json'), join(folder, 'tsconfig.json'));
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  const isFile = to.endsWith('.ts');
  if (isFile) write(to, 'export const x = 1;\n');
  write(
    from,
    `import * as x from '${isFile ? `${'../'.repeat(from.split('/').length - 1)}${to}` : to}';\nexport const y = x;\n`,
  );
  return folder;
}

describe('the layering check can fail', () => {
  it.each([
    ['model-imports-itself', 'shared/model/a.ts', 'shared/ports/hub.ts'],
    ['events-import-model', 'shared/events/a.ts', 'shared/adapters/x.ts'],
    ['ports-are-types', 'shared/ports/a.ts', 'shared/adapters/x.ts'],
    ['operations-are-a-table', 'shared/operator/a.ts', 'shared/ports/hub.ts'],
    ['decisions-are-pure', 'functions/scheduler/decide.ts', 'shared/edge/queue-task.ts'],
    ['functions-meet-on-the-bus', 'functions/resync/a.lambda.ts', 'functions/scheduler/b.ts'],
    ['functions-use-edge-and-ports', 'functions/resync/a.lambda.ts', 'shared/adapters/x.ts'],
    ['sdks-in-adapters', 'functions/resync/a.lambda.ts', '@aws-sdk/client-dynamodb'],
    ['aws-sdk-in-adapters', 'cli/a.ts', '@aws-sdk/client-dynamodb'],
    ['infra-names-by-path', 'infra/a.ts', 'functions/resync/a.lambda.ts'],
    ['shared-stands-below', 'shared/edge/a.ts', 'local/bus.ts'],
    ['console-stands-alone', 'console/a.ts', 'cli/main.ts'],
    ['console-takes-types-only', 'console/a.ts', 'shared/operator/operations.ts'],
    ['console-is-served-not-imported', 'local/a.ts', 'console/main.ts'],
    ['product-does-not-import-tests', 'local/a.ts', 'test/builders.ts'],
    ['benches-start-the-rig', 'bench/a.ts', 'test/builders.ts'],
    ['no-unresolved', 'local/a.ts', 'no-such-package'],
  ])('%s', async (rule, from, to) => {
    const { violations } = await cruiseTree(plant(from, to), [from.split('/')[0] ?? '']);
    expect(violations.map((violation) => violation.rule)).toContain(rule);
  });

  it('no-circles', async () => {
    const tree = plant('local/a.ts', 'local/b.ts');
    writeFileSync(join(tree, 'local/b.ts'), `import { y } from './a.ts';\nexport const x = () => y;\n`);
    expect((await cruiseTree(tree, ['local'])).violations.map(({ rule }) => rule)).toContain('no-circles');
  });
});
