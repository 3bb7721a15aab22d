/** What has a hub refuse an invalid object: by a policy in its API server, or by asking the hook, with the same rules. */
import { reviewKeyOf } from '../../shared/adapters/secrets-manager/review-key.ts';
import { userOfAccount } from '../../shared/model/account-token.ts';
import type { AdmissionRules, Concern } from '../../shared/model/admission/admission-rules.ts';
import { rebalancerRules } from '../../shared/model/admission/rebalancer-rules.ts';
import { bindingReductionRules, policyReductionRules } from '../../shared/model/admission/reduction-rules.ts';
import { waveRules } from '../../shared/model/admission/wave-rules.ts';
import type { ManifestTarget } from './target.ts';
import type { Manifest } from './to-yaml.ts';

const GROUP = 'admissionregistration.k8s.io/v1';
const WEBHOOK_TIMEOUT_SECONDS = 3;

/** Who decides about a rebalancer: what it says, and who may write one that is a wave of a policy. */
function aboutRebalancers({ account }: ManifestTarget): readonly AdmissionRules[] {
  return [rebalancerRules, waveRules(userOfAccount(account))];
}

/** Both go by the same rule on what is looked at: never a delete, nor a subresource. */
export function resourceRules({ group, version, resources, operations }: Concern): readonly object[] {
  return [{ apiGroups: [group], apiVersions: [version], operations, resources, scope: '*' }];
}

/** A check that can't be made lets the write through: what is invalid fails later, what is valid must not fail for us. */
export const failurePolicy = 'Ignore';

export function admissionPolicy(target: ManifestTarget): readonly Manifest[] {
  const aboutReductions = target.reductions ? [policyReductionRules, bindingReductionRules] : [];
  const all = [...aboutRebalancers(target), ...aboutReductions];
  return all.flatMap((rules) => policyOf(rules, `${target.account.name}-${rules.name}`));
}

function policyOf(rules: AdmissionRules, name: string): readonly Manifest[] {
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

/** One call a write, whichever of the rules on its kind look at it. Bindings are asked about by the webhook that holds reductions. */
export function admissionWebhook(target: ManifestTarget): readonly Manifest[] {
  const concerns = aboutRebalancers(target).map(({ when }) => `(${when.expression})`);
  const matchCondition = { name: 'concerns-evenkeel', expression: concerns.join(' || ') };
  return webhookConfiguration('ValidatingWebhookConfiguration', target, [
    { rules: rebalancerRules, matchCondition },
    ...(target.reductions ? [{ rules: policyReductionRules, matchCondition: policyReductionRules.when }] : []),
  ]);
}

export interface Webhook {
  readonly rules: Concern;
  /** Where it is called at all. */
  readonly matchCondition: Concern['when'];
  readonly reinvocationPolicy?: 'IfNeeded';
}

/** Named after the first of its webhooks. */
export function webhookConfiguration(
  kind: 'ValidatingWebhookConfiguration' | 'MutatingWebhookConfiguration',
  { account, hub, url, ca, hookToken }: ManifestTarget,
  hooks: readonly [Webhook, ...Webhook[]],
): readonly Manifest[] {
  const path = `${url}/hubs/${hub}/admission`;
  const clientConfig = {
    url: hookToken === undefined ? path : `${path}/${reviewKeyOf(hub, hookToken)}`,
    ...(ca !== undefined && { caBundle: Buffer.from(ca).toString('base64') }),
  };
  const configuration = {
    apiVersion: GROUP,
    kind,
    metadata: { name: `${account.name}-${hooks[0].rules.name}` },
    webhooks: hooks.map(({ rules, matchCondition, ...more }) => ({
      name: `${rules.name}.evenkeel.internal`,
      failurePolicy,
      matchConditions: [matchCondition],
      rules: resourceRules(rules),
      clientConfig,
      admissionReviewVersions: ['v1'],
      sideEffects: 'None',
      timeoutSeconds: WEBHOOK_TIMEOUT_SECONDS,
      ...more,
    })),
  };
  const comment =
    'Without --hook-token-file the API server has to present a hook token by itself: start it with\n' +
    '--admission-control-config-file (docs/connect-a-hub.md), or every review is answered 401 and the write goes through.';
  return [{ ...(hookToken === undefined && { comment }), object: configuration }];
}
