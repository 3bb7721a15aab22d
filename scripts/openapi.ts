/** The API as OpenAPI 3.1 says it, from the table of operations. */
import * as z from 'zod/mini';
import { methodOf, type Operation } from '../shared/operator/operation.ts';
import { operations } from '../shared/operator/operations.ts';

type Schema = Readonly<Record<string, unknown>> & { readonly properties?: Readonly<Record<string, unknown>> };

const refused = {
  type: 'object',
  properties: {
    status: { type: 'integer' },
    reason: { type: 'string', description: 'A word of CamelCase.' },
    error: { type: 'string', description: 'For people: what was wrong, and the way out.' },
  },
  required: ['status', 'reason', 'error'],
};

export function openApi(): object {
  const paths: Record<string, object> = {};
  for (const [name, operation] of Object.entries(operations) as [string, Operation][])
    paths[operation.path] = { ...paths[operation.path], [methodOf(operation).toLowerCase()]: said(name, operation) };
  return {
    openapi: '3.1.0',
    info: {
      title: 'Evenkeel',
      version: '1',
      description: 'What people ask of a deployment and order it to do. Made by npm run docs.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/api' }],
    paths,
    components: { schemas: { Refused: refused } },
  };
}

const kinds = { question: 'Questions', order: 'Orders', practice: 'Practice hub' } as const;

function said(operationId: string, operation: Operation): object {
  const input = z.toJSONSchema(operation.input, { io: 'input', unrepresentable: 'any' }) as Schema;
  const { $schema: _, ...output } = z.toJSONSchema(operation.output, { unrepresentable: 'any' }) as Schema;
  const inPath = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, field = '']) => field);
  const fields = Object.entries(input.properties ?? {});
  const required = (input.required ?? []) as readonly string[];
  const parameter =
    (place: 'path' | 'query') =>
    ([field, schema]: readonly [string, unknown]) => ({
      name: field,
      in: place,
      required: place === 'path' || required.includes(field),
      schema,
    });
  const besides = fields.filter(([field]) => !inPath.includes(field));
  const isQuestion = operation.kind === 'question';
  const parameters = [
    ...fields.filter(([field]) => inPath.includes(field)).map(parameter('path')),
    ...(isQuestion ? besides.map(parameter('query')) : []),
  ];
  const body = {
    type: 'object',
    properties: Object.fromEntries(besides),
    required: required.filter((field) => !inPath.includes(field)),
  };
  return {
    operationId,
    summary: operation.says,
    tags: [kinds[operation.kind]],
    ...(parameters.length > 0 && { parameters }),
    ...(!isQuestion && { requestBody: { required: true, content: { 'application/json': { schema: body } } } }),
    responses: {
      200: { description: 'The answer.', content: { 'application/json': { schema: output } } },
      ...(isQuestion && { 304: { description: 'Nothing is new since the answer that If-None-Match names.' } }),
      default: {
        description: 'Why not.',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Refused' } } },
      },
    },
  };
}
