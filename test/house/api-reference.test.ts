import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { kindOfObject } from '../../local/practice-hub/store/kinds.ts';
import { createObjectStore } from '../../local/practice-hub/store/object-store.ts';
import type { KubeObject } from '../../local/practice-hub/store/objects.ts';
import { definitions, exampleOf, type FieldSchema, fieldsOf } from '../../scripts/api-reference.ts';
import { messagesOf, messageText } from '../../scripts/validation-messages.ts';
import { user } from '../fakes/practice-fleet.ts';

const kinds = definitions().map(({ spec }) => ({
  name: `${spec.names.kind}.${spec.group}`,
  columns: spec.versions[0].additionalPrinterColumns,
  fields: fieldsOf(spec.versions[0].schema.openAPIV3Schema),
}));

function without(fields: (typeof kinds)[number]['fields'], has: (schema: FieldSchema) => boolean): readonly string[] {
  return fields.filter(({ schema }) => !has(schema)).map(({ path }) => path);
}

describe.each(kinds)('the CustomResourceDefinition of $name', ({ fields, columns }) => {
  it('describes every field and every column', () => {
    // An API server rejects a definition that specifies anything of the metadata but its name.
    expect(without(fields, ({ description = '' }) => description !== '')).toEqual(['metadata']);
    expect(columns.filter(({ description }) => description === '')).toEqual([]);
  });

  it('declares the type of every list', () => {
    const lists = fields.filter(({ schema }) => schema.type === 'array');
    expect(without(lists, (schema) => schema['x-kubernetes-list-type'] !== undefined)).toEqual([]);
  });
});

// The practice hub validates as a real API server does: the hub API contract.
const documented = new Map(definitions().map((definition) => [definition.spec.names.kind, definition]));

describe.each([...documented].map(([kind, definition]) => ({ kind, definition })))(
  'the example of $kind in the API reference',
  ({ definition }) => {
    const example = parse(exampleOf(definition)) as KubeObject;

    it('is valid, and has no field that the schema lacks', () => {
      const store = createObjectStore({ now: () => 0, newUid: () => 'uid' });
      const plural = kindOfObject(example)?.storeName ?? '';
      const created = store.create(plural, example, user);
      expect(created.spec).toMatchObject(example.spec as object);
    });
  },
);

describe('the validation messages in the API reference', () => {
  it('have a text for each rule, with … for a value', () => {
    expect(messageText("'spec.a is ' + self.a + ', and cannot change; create one for ' + self.b.c")).toBe(
      'spec.a is …, and cannot change; create one for …',
    );
    expect(() => messageText("'a' + string(self.b)")).toThrow("no known form: 'a' + string(self.b)");
  });

  it('have both texts of a rule with a condition', () => {
    const rule = { fieldPath: '.b', messageExpression: "self.x == 'I' ? 'one' : 'two'" };
    const schema = { properties: { spec: { 'x-kubernetes-validations': [rule] } } };
    expect(messagesOf(schema)).toEqual([
      { path: 'spec.b', message: 'one' },
      { path: 'spec.b', message: 'two' },
    ]);
  });
});
