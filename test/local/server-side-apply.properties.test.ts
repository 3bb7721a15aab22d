/** Server-side apply of the practice hub's store, compared with a model: the value and the owners of each field. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createObjectStore } from '../../local/practice-hub/store/object-store.ts';
import type { ManagedFieldsEntry } from '../../local/practice-hub/store/objects.ts';
import { StatusError } from '../../local/practice-hub/store/status-error.ts';
import { cases } from '../depth.ts';

const key = { namespace: 'default', name: 'one' };

/** Fields of a StatefulSet, whose schema is open here: paths without lists. */
const PATHS = [
  'metadata.labels.a',
  'metadata.labels.b',
  'spec.x',
  'spec.deep.y',
  'spec.deep.z',
  'spec.deep.er.w',
  'other.v',
];
const MANAGERS = ['one', 'two', 'three'];

interface Act {
  readonly by: string;
  readonly verb: 'apply' | 'force' | 'update';
  /** By path; an update removes null fields. */
  readonly fields: Readonly<Record<string, string | null>>;
}

const act: fc.Arbitrary<Act> = fc.record({
  by: fc.constantFrom(...MANAGERS),
  verb: fc.constantFrom('apply', 'force', 'update'),
  fields: fc.dictionary(fc.constantFrom(...PATHS), fc.option(fc.constantFrom('1', '2'), { freq: 4 }), { maxKeys: 5 }),
});

/** The model of one object. */
class Model {
  readonly values = new Map<string, string>();
  /** "one Apply" → its fields. */
  readonly owners = new Map<string, Set<string>>();

  /** Returns false if the apply is rejected. */
  apply(by: string, wanted: ReadonlyMap<string, string>, force: boolean): boolean {
    const me = `${by} Apply`;
    const changed = [...wanted].filter(([path, value]) => this.values.get(path) !== value).map(([path]) => path);
    const others = [...this.owners].filter(([owner]) => owner !== me);
    const contested = changed.filter((path) => others.some(([, fields]) => fields.has(path)));
    if (contested.length > 0 && !force) return false;
    for (const [, fields] of others) for (const path of changed) fields.delete(path);
    for (const path of this.owners.get(me) ?? []) {
      if (!wanted.has(path) && !others.some(([, fields]) => fields.has(path))) this.values.delete(path);
    }
    for (const [path, value] of wanted) this.values.set(path, value);
    this.owners.set(me, new Set(wanted.keys()));
    return true;
  }

  update(by: string, fields: Act['fields']): void {
    const me = `${by} Update`;
    for (const [path, value] of Object.entries(fields)) {
      if ((this.values.get(path) ?? null) === value) continue;
      for (const [, owned] of this.owners) owned.delete(path);
      if (value === null) this.values.delete(path);
      else {
        this.values.set(path, value);
        this.owners.set(me, (this.owners.get(me) ?? new Set()).add(path));
      }
    }
  }
}

function nested(
  fields: Iterable<readonly [path: string, value: string | null]>,
): Record<string, Record<string, unknown>> {
  const whole: Record<string, Record<string, unknown>> = {};
  for (const [path, value] of fields) {
    const names = path.split('.');
    const last = names.pop() ?? '';
    const parent = names.reduce<Record<string, unknown>>(
      (at, name) => (at[name] ??= {}) as Record<string, unknown>,
      whole as Record<string, unknown>,
    );
    parent[last] = value;
  }
  return whole;
}

/** The strings in an object, by path. */
function flat(value: unknown, path = ''): [string, string][] {
  if (typeof value !== 'object' || value === null) return [[path, String(value)]];
  return Object.entries(value).flatMap(([name, field]) => flat(field, path === '' ? name : `${path}.${name}`));
}

function ownedPaths({ fieldsV1 = {} }: ManagedFieldsEntry): string[] {
  const paths = (fields: object, to: string): string[] => {
    const names = Object.entries(fields as Record<string, object>);
    if (names.length === 0) return [to];
    return names.flatMap(([name, within]) => paths(within, to === '' ? name.slice(2) : `${to}.${name.slice(2)}`));
  };
  return paths(fieldsV1, '')
    .filter((path) => path !== '')
    .sort();
}

describe('server-side apply', () => {
  it('gives each field the value and the owners of the model, for any order of writers', () => {
    fc.assert(
      fc.property(fc.array(act, { minLength: 1, maxLength: 12 }), (acts) => {
        const store = createObjectStore({ now: () => 0, newUid: () => 'uid' });
        const model = new Model();
        store.apply('statefulsets', key, { config: { ...ofKind, metadata: key }, force: false }, actor('one'));
        for (const { by, verb, fields } of acts) {
          if (verb === 'update') {
            // An absent field cannot be removed: a merge patch would create its parent objects.
            const written = Object.entries(fields).filter(([path, value]) => value !== null || model.values.has(path));
            const body = nested(written);
            model.update(by, Object.fromEntries(written));
            store.patch('statefulsets', key, { type: 'merge', body }, actor(by));
            continue;
          }
          const wanted = Object.entries(fields).filter((field): field is [string, string] => field[1] !== null);
          const { metadata, ...rest } = nested(wanted);
          const config = { ...ofKind, ...rest, metadata: { ...metadata, ...key } };
          const applied = attempt(() =>
            store.apply('statefulsets', key, { config, force: verb === 'force' }, actor(by)),
          );
          expect(applied).toBe(model.apply(by, new Map(wanted), verb === 'force'));
        }
        const object = store.get('statefulsets', key);
        const { metadata, apiVersion: _, kind: __, ...rest } = object ?? { metadata: {} };
        const { labels = {}, managedFields = [] } = metadata as {
          labels?: object;
          managedFields?: ManagedFieldsEntry[];
        };
        expect(new Map(flat({ ...rest, metadata: { labels } }))).toEqual(model.values);
        const owners = managedFields.map(
          (entry) => [`${entry.manager} ${entry.operation}`, ownedPaths(entry)] as const,
        );
        const wanted = [...model.owners].map(([owner, paths]) => [owner, [...paths].sort()] as const);
        const some = (all: readonly (readonly [string, readonly string[]])[]) =>
          new Map(all.filter(([, paths]) => paths.length > 0));
        expect(some(owners)).toEqual(some(wanted));
      }),
      { numRuns: cases({ few: 150, all: 500 }) },
    );
  });
});

const ofKind = { apiVersion: 'apps/v1', kind: 'StatefulSet' };

function actor(manager: string) {
  return { username: manager, manager };
}

/** Returns false on a conflict. */
function attempt(apply: () => unknown): boolean {
  try {
    apply();
    return true;
  } catch (error) {
    if (error instanceof StatusError && error.code === 409) return false;
    throw error;
  }
}
