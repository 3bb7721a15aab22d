/** The CustomResourceDefinition of RebalancePolicy: what `evenkeel hub manifests` prints for a hub, and what the practice hub serves. */
import * as z from 'zod/mini';
import { type PolicyRule, policyObject, policyRules } from './policy-schema.ts';
import { LONGEST_POLICY_NAME, rebalancePolicies } from './rebalance-policy.ts';

/** A column of `kubectl get rebp`. */
export interface PolicyColumn {
  readonly name: string;
  readonly type: 'string' | 'boolean' | 'integer' | 'date';
  readonly jsonPath: string;
  /** Above 0 it is shown by `-o wide` alone. */
  readonly priority?: 0 | 1;
  readonly description: string;
}

const { group, version, kind, plural } = rebalancePolicies;

export const policyNames = {
  kind,
  listKind: `${kind}List`,
  plural,
  singular: kind.toLowerCase(),
  shortNames: ['rebp'],
  categories: ['evenkeel'],
} as const;

/** What is going on, how far it is, what comes next. NEXT is a text: the API server shows no date that is to come. */
export const policyColumns: readonly PolicyColumn[] = [
  { name: 'STATE', type: 'string', jsonPath: '.status.state', description: 'What the policy is doing.' },
  { name: 'LAST-RUN', type: 'string', jsonPath: '.status.lastRun.state', description: 'What became of its last run.' },
  { name: 'WAVES', type: 'integer', jsonPath: '.status.lastRun.waves', description: 'Waves of the last run.' },
  { name: 'DONE', type: 'integer', jsonPath: '.status.lastRun.wavesDone', description: 'Waves that are ready again.' },
  { name: 'MOVED', type: 'integer', jsonPath: '.status.lastRun.moved', description: 'Replicas that it moved so far.' },
  { name: 'SUSPEND', type: 'boolean', jsonPath: '.spec.suspend', description: 'Whether it is to start nothing.' },
  { name: 'DRY-RUN', type: 'boolean', jsonPath: '.spec.dryRun', priority: 1, description: 'Whether it only records.' },
  {
    name: 'SKIPPED',
    type: 'integer',
    jsonPath: '.status.lastRun.skipped',
    priority: 1,
    description: 'Workloads of the last run that were left alone.',
  },
  {
    name: 'MESSAGE',
    type: 'string',
    jsonPath: '.status.message',
    priority: 1,
    description: 'Why it is in this state.',
  },
  { name: 'NEXT', type: 'string', jsonPath: '.status.nextScheduleTime', description: 'When its calendar is next due.' },
  {
    name: 'AGE',
    type: 'date',
    jsonPath: '.metadata.creationTimestamp',
    description: 'Since when there is the policy.',
  },
];

/** A wave's rebalancer is called by the policy, the run and the wave, which has to fit into a label. `object` is what the whole is called there. */
export function policyNameRule(object: string): PolicyRule {
  return {
    field: 'metadata.name',
    expression: `size(${object}.metadata.name) <= ${LONGEST_POLICY_NAME}`,
    message: `'metadata.name is ' + ${object}.metadata.name + '; give it a name of at most ${LONGEST_POLICY_NAME} characters, for the names of its waves begin with it'`,
  };
}

type Schema = Readonly<Record<string, unknown>> & { readonly properties: Readonly<Record<string, object>> };

/** Of the whole object but its metadata, as OpenAPI. */
export const policyOpenApi: Schema = openApi();

export function policyCrd(): object {
  const { spec, ...rest } = policyOpenApi.properties;
  const schema = {
    ...policyOpenApi,
    properties: {
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      // Bounded, or the API server refuses a message that holds it for what it might cost.
      metadata: { type: 'object', properties: { name: { type: 'string', maxLength: 253 } } },
      spec: { ...spec, 'x-kubernetes-validations': policyRules('self').map(validationBelow('spec')) },
      ...rest,
    },
    'x-kubernetes-validations': [policyNameRule('self')].map(validationBelow('')),
  };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      names: policyNames,
      scope: 'Cluster',
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          schema: { openAPIV3Schema: schema },
          subresources: { status: {} },
          additionalPrinterColumns: policyColumns,
        },
      ],
    },
  };
}

/** A rule where it stands in a schema: at the field `root`, from which its own field is named. */
function validationBelow(root: string): (rule: PolicyRule) => object {
  return ({ field, expression, message }) => ({
    rule: expression,
    messageExpression: message,
    fieldPath: `.${field}`.replace(`.${root}.`, '.'),
  });
}

/** Without the bounds of JavaScript's own numbers, and without empty lists of fields, which the API server drops: kubectl would find them missing each time. */
function openApi(): Schema {
  const schema = z.toJSONSchema(policyObject, {
    io: 'input',
    target: 'openapi-3.0',
    override: ({ jsonSchema }) => {
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (Object.keys(jsonSchema.properties ?? { any: {} }).length === 0) delete jsonSchema.properties;
    },
  });
  return schema as unknown as Schema;
}
