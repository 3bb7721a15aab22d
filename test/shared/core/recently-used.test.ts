import { describe, expect, it } from 'vitest';
import { RecentlyUsed } from '../../../shared/core/recently-used.ts';

interface Entry {
  readonly name: string;
  idle: boolean;
}

function scene(most: number) {
  const dropped: string[] = [];
  const map = new RecentlyUsed<Entry>({ most, isIdle: ({ idle }) => idle, drop: ({ name }) => dropped.push(name) });
  const add = (key: string, name = key): Entry => {
    const entry = { name, idle: true };
    map.set(key, entry);
    return entry;
  };
  const keys = (...of: readonly string[]) => of.filter((key) => map.get(key) !== undefined);
  return { map, add, keys, dropped };
}

describe('a map of recently used entries', () => {
  it('drops the least recently used entry beyond its size', () => {
    const { map, add, keys, dropped } = scene(2);
    add('a');
    add('b');
    map.get('a');
    add('c');
    expect(dropped).toEqual(['b']);
    expect(keys('a', 'b', 'c')).toEqual(['a', 'c']);
  });

  it('keeps entries that are in use beyond its size, and drops them once they are idle', () => {
    const { add, dropped } = scene(1);
    const used = add('a');
    used.idle = false;
    add('b').idle = false;
    expect(dropped).toEqual([]);
    used.idle = true;
    add('c');
    expect(dropped).toEqual(['a']);
  });

  it('keeps the entry that was just added, even if all others are in use', () => {
    const { add, keys } = scene(1);
    add('a').idle = false;
    add('b');
    expect(keys('a', 'b')).toEqual(['a', 'b']);
  });

  it('drops a replaced entry when it is idle, and an entry that is set again never', () => {
    const { map, add, dropped } = scene(2);
    const first = add('a', 'first');
    map.set('a', first);
    expect(dropped).toEqual([]);
    first.idle = false;
    add('a', 'second');
    expect(dropped).toEqual([]);
    first.idle = true;
    add('b');
    expect(dropped).toEqual(['first']);
  });

  it('drops a deleted entry, and all when it is cleared', () => {
    const { map, add, dropped } = scene(5);
    for (const key of ['a', 'b', 'c']) add(key);
    map.delete('b');
    expect(dropped).toEqual(['b']);
    map.clear();
    expect(dropped).toEqual(['b', 'a', 'c']);
  });
});
