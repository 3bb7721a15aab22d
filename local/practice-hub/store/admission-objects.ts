/** Admission policies as objects: the supported fields, and errors for those that the practice hub cannot evaluate. */
import * as z from 'zod/mini';
import { flawOf } from '../../../shared/admission/evaluate-rules.ts';
import { patchesAsMaps } from './json-patch-literals.ts';
import type { KindRules } from './kind-definition.ts';
import type { KubeObject } from './objects.ts';
import { fieldAt } from './structural-schema.ts';

const texts = z.array(z.string());
const rule = z.object({ apiGroups: texts, apiVersions: texts, resources: texts, operations: texts });
const named = z.object({ name: z.string(), expression: z.string() });

const common = {
  failurePolicy: z._default(z.enum(['Ignore', 'Fail']), 'Fail'),
  matchConstraints: z.object({ resourceRules: z.array(rule) }),
  matchConditions: z._default(z.array(named), []),
  variables: z._default(z.array(named), []),
};

const mutatingSpec = z.object({
  ...common,
  mutations: z.array(z.object({ patchType: z.literal('JSONPatch'), jsonPatch: z.object({ expression: z.string() }) })),
});

const validation = z.object({
  expression: z.string(),
  message: z.optional(z.string()),
  messageExpression: z.optional(z.string()),
});
const validatingSpec = z.object({ ...common, validations: z.array(validation) });

const bindingSpec = z.object({ policyName: z.string() });

export type MutatingSpec = z.output<typeof mutatingSpec>;
export type ValidatingSpec = z.output<typeof validatingSpec>;

/** The match rules of a policy, and its failurePolicy. */
export type AdmissionPolicySpec = Omit<MutatingSpec, 'mutations'>;

export function readMutating({ spec }: KubeObject): MutatingSpec {
  return z.parse(mutatingSpec, spec);
}

export function readValidating({ spec }: KubeObject): ValidatingSpec {
  return z.parse(validatingSpec, spec);
}

export function policyNameIn({ spec }: KubeObject): string | undefined {
  return z.safeParse(bindingSpec, spec).data?.policyName;
}

type Expressions = readonly (readonly [field: string, expression: string])[];

function expressionsOf({ matchConditions, variables }: AdmissionPolicySpec): Expressions {
  return [
    ...matchConditions.map(({ expression }, i) => [`spec.matchConditions[${i}].expression`, expression] as const),
    ...variables.map(({ expression }, i) => [`spec.variables[${i}].expression`, expression] as const),
  ];
}

function mutationsOf({ mutations }: MutatingSpec): Expressions {
  return mutations.map(({ jsonPatch }, i) => [
    `spec.mutations[${i}].jsonPatch.expression`,
    patchesAsMaps(jsonPatch.expression),
  ]);
}

function validationsOf({ validations }: ValidatingSpec): Expressions {
  return validations.flatMap(({ expression, messageExpression }, i) => [
    [`spec.validations[${i}].expression`, expression] as const,
    ...(messageExpression === undefined
      ? []
      : [[`spec.validations[${i}].messageExpression`, messageExpression] as const]),
  ]);
}

/** Fields of a real API server that are not supported here: a policy that uses one is rejected, not misinterpreted. */
const NOT_HERE = ['paramKind', 'matchConstraints.namespaceSelector', 'matchConstraints.objectSelector'].concat(
  'matchConstraints.excludeResourceRules',
);

type SpecSchema<S> = z.ZodMiniType<S>;

function rulesOf<S extends AdmissionPolicySpec>(schema: SpecSchema<S>, own: (spec: S) => Expressions): KindRules {
  return ({ spec = {} }) => {
    const parsed = z.safeParse(schema, spec);
    if (!parsed.success) {
      return parsed.error.issues.map(({ path, message }) => flaw(['spec', ...path].join('.'), message));
    }
    const absent = NOT_HERE.filter((field) => !isEmpty(fieldAt(spec, ...field.split('.'))));
    const compiled = [...expressionsOf(parsed.data), ...own(parsed.data)].flatMap(([field, expression]) => {
      const message = flawOf(expression);
      return message === undefined ? [] : [flaw(field, `compilation failed: ERROR: ${message}`)];
    });
    return [
      ...absent.map((field) => flaw(`spec.${field}`, 'the practice hub does not evaluate this; leave it out')),
      ...compiled,
    ];
  };
}

export const mutatingRules: KindRules = rulesOf(mutatingSpec, mutationsOf);
export const validatingRules: KindRules = rulesOf(validatingSpec, validationsOf);

export const bindingRules: KindRules = ({ spec = {} }) => [
  ...(policyNameIn({ spec } as KubeObject) === undefined ? [flaw('spec.policyName', 'Required value')] : []),
  ...['paramRef', 'matchResources'].flatMap((field) =>
    isEmpty(fieldAt(spec, field))
      ? []
      : [flaw(`spec.${field}`, 'the practice hub does not evaluate this; leave it out')],
  ),
];

function flaw(field: string, message: string) {
  return { reason: 'FieldValueInvalid', message: `Invalid value: ${message}`, field };
}

/** An empty object, as in `kubectl get -o yaml` of a real hub, counts as unset. */
function isEmpty(value: unknown): boolean {
  return value === undefined || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);
}
