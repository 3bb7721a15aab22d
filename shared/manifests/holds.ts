/** Holding of replica reductions until their replacement is ready: by a policy in the API server, or by the hook, with the same rules. */

import type { PatchDialect } from '../admission/admission-rules.ts';
import { holdRules } from '../graceful-reduction/hold-rules.ts';
import { bindingReductionRules } from '../graceful-reduction/reduction-rules.ts';
import { userOfAccount } from '../kubernetes/account-token.ts';
import { failurePolicy, resourceRules, type Webhook, webhookConfiguration } from './admission.ts';
import type { ManifestTarget } from './target.ts';
import type { PrintedManifest } from './to-yaml.ts';

const POLICY_GROUP = 'admissionregistration.k8s.io/v1beta1';

const asJsonPatch: PatchDialect = {
  add: (path, value) => `JSONPatch{op: "add", path: ${path}, value: ${value}}`,
  remove: (path) => `JSONPatch{op: "remove", path: ${path}}`,
};

export function holdPolicy({ account }: Pick<ManifestTarget, 'account'>): readonly PrintedManifest[] {
  const rules = holdRules(userOfAccount(account));
  const name = `${account.name}-${rules.name}`;
  const spec = {
    failurePolicy,
    reinvocationPolicy: 'IfNeeded',
    matchConstraints: { resourceRules: resourceRules(rules) },
    matchConditions: [rules.when],
    variables: rules.variables,
    mutations: [{ patchType: 'JSONPatch', jsonPatch: { expression: rules.patches(asJsonPatch) } }],
  };
  const comment =
    'Needs kube-apiserver 1.34 or newer, started with --feature-gates=MutatingAdmissionPolicy=true and\n' +
    '--runtime-config=admissionregistration.k8s.io/v1beta1=true. Where kubectl finds no matches for the kind, use\n' +
    '--only hold-webhook instead (docs/guides/admission-webhooks.md).';
  return [
    { comment, object: { apiVersion: POLICY_GROUP, kind: 'MutatingAdmissionPolicy', metadata: { name }, spec } },
    {
      object: {
        apiVersion: POLICY_GROUP,
        kind: 'MutatingAdmissionPolicyBinding',
        metadata: { name },
        spec: { policyName: name },
      },
    },
  ];
}

/** Called for writes that reduce replicas, writes of bindings with held replicas, and writes of workloads that request it. */
export function holdWebhook(target: ManifestTarget): readonly PrintedManifest[] {
  const held = holdRules(userOfAccount(target.account));
  const words = bindingReductionRules.when.expression;
  const matchCondition = {
    name: 'concerns-evenkeel',
    expression: `oldObject == null ? ${words} : ((${held.when.expression}) || ${words})`,
  };
  const rules = { ...held, operations: bindingReductionRules.operations };
  const hook: Webhook = { rules, matchCondition, reinvocationPolicy: 'IfNeeded' };
  return webhookConfiguration('MutatingWebhookConfiguration', target, hook);
}
