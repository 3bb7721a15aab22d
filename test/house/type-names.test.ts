/** One type name has one meaning in the product. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { repeatedTypeNames } from '../../scripts/source-files.ts';

it('no two files of the product declare a type of the same name', () => {
  const files = execFileSync('git', ['ls-files', '*.ts', '*.tsx'], { encoding: 'utf8' })
    .split('\n')
    .filter((path) => path !== '' && !path.startsWith('test/') && !path.endsWith('_pb.ts'))
    .map((path) => ({ path, text: readFileSync(path, 'utf8') }));
  expect(files.length).toBeGreaterThan(100);
  expect(Object.fromEntries(repeatedTypeNames(files))).toEqual({});
});

it('a name that is declared twice is found, with its files', () => {
  const files = [
    { path: 'b.ts', text: 'export interface Move {}\n' },
    { path: 'a.ts', text: 'type Move = string;\ntype Other = string;\n' },
  ];
  expect(Object.fromEntries(repeatedTypeNames(files))).toEqual({ Move: ['a.ts', 'b.ts'] });
});
