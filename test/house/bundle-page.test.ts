import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { SERVE_CONSOLE } from '../../infra/function-paths.ts';
import { bundlePage, outdatedIn } from '../../scripts/bundle-page.ts';
import { functionNames } from '../../shared/bus/functions.ts';

const options = { limitKb: 600, reasonOf: (name: string) => (name === 'a/large' ? 'it is large' : undefined) };

function bundle(name: string, grpc: number) {
  const packages = [
    ['evenkeel', 50_000],
    ['@connectrpc/connect', grpc],
    ['hono', 1400],
  ] as const;
  return { name, file: '', bytes: 51_400 + grpc, packages };
}

describe('the page of bundles', () => {
  it('has each function', () => {
    const page = readFileSync('docs/reference/bundles.md', 'utf8');
    expect([...page.matchAll(/^\| `([^`]+)`/gm)].map(([, name]) => name)).toEqual([...functionNames, SERVE_CONSOLE]);
  });

  it('has the bytes of each part in the column that its packages belong to', () => {
    const rows = bundlePage([bundle('a/small', 100_000)], options).split('\n');
    expect(rows).toContain('| `a/small` | 152 | 50 |  | 100 |  |  |  |  | 1 |');
  });

  it('has the reason of each bundle over the limit, and of no other', () => {
    const page = bundlePage([bundle('a/small', 100_000), bundle('a/large', 700_000)], options);
    expect(page.slice(page.indexOf('## Over')).trim()).toBe('## Over 600 kB\n\n- `a/large`: it is large.');
  });

  it('is outdated for functions that changed by more than 10 kB, that are new and that are gone', () => {
    const before = ['a/same', 'a/grown', 'a/gone'].map((name) => bundle(name, 100_000));
    const now = [bundle('a/same', 109_000), bundle('a/grown', 112_000), bundle('a/new', 100_000)];
    const outdated = outdatedIn(bundlePage(before, options), bundlePage(now, options));
    expect(outdated).toEqual(['a/grown', 'a/gone', 'a/new']);
  });
});
