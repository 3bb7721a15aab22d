import { describe, expect, it } from 'vitest';
import { definitions, type FieldSchema, fieldsOf } from '../../scripts/api-reference.ts';

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
