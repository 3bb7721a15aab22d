/** What a newcomer reads first stays short, and the map has every folder. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const read = (file: string) => readFileSync(file, 'utf8');

describe('README.md', () => {
  it('has at most 150 lines and 8,000 characters', () => {
    expect(read('README.md').split('\n').length).toBeLessThanOrEqual(150);
    expect(read('README.md').length).toBeLessThanOrEqual(8000);
  });
});

describe('ARCHITECTURE.md', () => {
  const map = read('ARCHITECTURE.md');

  it('has at most 120 lines', () => {
    expect(map.split('\n').length).toBeLessThanOrEqual(120);
  });

  it('has a line for every folder with code, examples or docs', () => {
    const folders = (parent: string) =>
      readdirSync(parent, { withFileTypes: true })
        .filter(
          (entry) => entry.isDirectory() && !/^\.|node_modules|^reports$|\.out$|^dist$|^runtime$/.test(entry.name),
        )
        .map(({ name }) => (parent === '.' ? name : `${parent}/${name}`));
    const wanted = [...folders('.').filter((name) => name !== 'shared'), ...folders('shared')];
    expect(wanted).toContain('functions');
    expect(wanted.filter((folder) => !map.includes(`\`${folder}/\``))).toEqual([]);
  });

  it('names files and folders that exist', () => {
    const named = [...map.matchAll(/`((?:functions|shared|infra|local|cli|test|scripts|docs|bench)\/[\w./-]*)`/g)].map(
      ([, path = '']) => path,
    );
    expect(named.length).toBeGreaterThan(25);
    const isThere = (path: string) => {
      try {
        return path.endsWith('/') ? readdirSync(path).length > 0 : read(path).length > 0;
      } catch {
        return false;
      }
    };
    expect(named.filter((path) => !isThere(path))).toEqual([]);
  });
});
