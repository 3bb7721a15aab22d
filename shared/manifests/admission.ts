/** Rejection of invalid objects on write: by a policy in the API server, or by the hook, with the same rules. */

import type { AdmissionRules, MatchedWrites } from '../admission/admission-rules.ts';
import { bindingReductionRules, policyReductionRules } from '../graceful-reduction/reduction-rules.ts';
import { userOfAccount } from '../kubernetes/account-token.ts';
import { reviewKeyOf } from '../kubernetes/hook-callers.ts';
import { waveRules } from '../rebalance-policy/wave-rules.ts';
import { rebalancerRules } from '../workload-rebalancer/rebalancer-rules.ts';
import type { ManifestTarget } from './target.ts';
import type { PrintedManifest } from './to-yaml.ts';

const GROUP = 'admissionregistration.k8s.io/v1';
const WEBHOOK_TIMEOUT_SECONDS = 3;

/** The rules on a rebalancer: its spec, and which users may create one as a wave of a policy. */
function aboutRebalancers({ account }: Pick<ManifestTarget, 'account'>): readonly AdmissionRules[] {
  return [rebalancerRules, waveRules(userOfAccount(account))];
}

/** Policy and webhook match the same requests: no deletes, no subresources. */
export function resourceRules({ group, version, resources, operations }: MatchedWrites): readonly object[] {
  return [{ apiGroups: [group], apiVersions: [version], operations, resources, scope: '*' }];
}

/** Fail open: an invalid object fails later, and a valid one must not be blocked by an outage of Evenkeel. */
export const failurePolicy = 'Ignore';

export function admissionPolicy(
  target: Pick<ManifestTarget, 'account' | 'gracefulReduction'>,
): readonly PrintedManifest[] {
  const aboutReductions = target.gracefulReduction ? [policyReductionRules, bindingReductionRules] : [];
  const all = [...aboutRebalancers(target), ...aboutReductions];
  return all.flatMap((rules) => policyOf(rules, `${target.account.name}-${rules.name}`));
}

function policyOf(rules: AdmissionRules, name: string): readonly PrintedManifest[] {
  const policy = {
    apiVersion: GROUP,
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name },
    spec: {
      failurePolicy,
      matchConditions: [rules.when],
      matchConstraints: { resourceRules: resourceRules(rules) },
      variables: rules.variables,
      validations: rules.rules.map(({ expression, message }) => ({
        expression,
        messageExpression: message,
        reason: 'Invalid',
      })),
    },
  };
  const binding = {
    apiVersion: GROUP,
    kind: 'ValidatingAdmissionPolicyBinding',
    metadata: { name },
    spec: { policyName: name, validationActions: ['Deny'] },
  };
  return [{ object: policy }, { object: binding }];
}

/** One call per write for all rules on a kind. The webhook that holds reductions matches bindings itself. */
export function admissionWebhook(target: ManifestTarget): readonly PrintedManifest[] {
  const concerns = aboutRebalancers(target).map(({ when }) => `(${when.expression})`);
  const matchCondition = { name: 'concerns-evenkeel', expression: concerns.join(' || ') };
  // One configuration each, so that applying the part without a feature does not remove the webhook of the feature.
  return [
    { rules: rebalancerRules, matchCondition },
    ...(target.gracefulReduction ? [{ rules: policyReductionRules, matchCondition: policyReductionRules.when }] : []),
  ].flatMap((hook) => webhookConfiguration('ValidatingWebhookConfiguration', target, hook));
}

export interface Webhook {
  readonly rules: MatchedWrites;
  /** The match conditions of the call. */
  readonly matchCondition: MatchedWrites['when'];
  readonly reinvocationPolicy?: 'IfNeeded';
}

/** A configuration of one webhook, named after its rules. */
export function webhookConfiguration(
  kind: 'ValidatingWebhookConfiguration' | 'MutatingWebhookConfiguration',
  { account, hub, url, ca, hookToken }: ManifestTarget,
  { rules, matchCondition, ...more }: Webhook,
): readonly PrintedManifest[] {
  const path = `${url}/hubs/${hub}/admission`;
  const clientConfig = {
    url: hookToken === undefined ? path : `${path}/${reviewKeyOf(hub, hookToken)}`,
    ...(ca !== undefined && { caBundle: Buffer.from(ca).toString('base64') }),
  };
  const configuration = {
    apiVersion: GROUP,
    kind,
    metadata: { name: `${account.name}-${rules.name}` },
    webhooks: [
      {
        name: `${rules.name}.evenkeel.internal`,
        failurePolicy,
        matchConditions: [matchCondition],
        rules: resourceRules(rules),
        clientConfig,
        admissionReviewVersions: ['v1'],
        sideEffects: 'None',
        timeoutSeconds: WEBHOOK_TIMEOUT_SECONDS,
        ...more,
      },
    ],
  };
  const comment =
    'Without --hook-token-file the API server has to present a hook token by itself: start it with\n' +
    '--admission-control-config-file (docs/guides/admission-webhooks.md), otherwise the hook answers every review with 401 and the write is admitted.';
  return [{ ...(hookToken === undefined && { comment }), object: configuration }];
}
