/** What has a hub refuse an invalid object: by a policy in its API server, or by asking the hook, with the same rules. */
import { reviewKeyOf } from '../../shared/adapters/secrets-manager/review-key.ts';
import { userOfAccount } from '../../shared/model/account-token.ts';
import type { AdmissionRules } from '../../shared/model/admission/admission-rules.ts';
import { rebalancerRules } from '../../shared/model/admission/rebalancer-rules.ts';
import { waveRules } from '../../shared/model/admission/wave-rules.ts';
import type { ManifestTarget } from './target.ts';
import type { Manifest } from './to-yaml.ts';

const GROUP = 'admissionregistration.k8s.io/v1';
const WEBHOOK_TIMEOUT_SECONDS = 3;

/** Who decides about what: the rules of a rebalancer, and who may write one that is a wave of a policy. */
function allRules({ account }: ManifestTarget): readonly AdmissionRules[] {
  return [rebalancerRules, waveRules(userOfAccount(account))];
}

/** Both go by the same rule on what is looked at: never a delete, nor a subresource. */
function resourceRules({ group, version, resource, operations }: AdmissionRules): readonly object[] {
  return [{ apiGroups: [group], apiVersions: [version], operations, resources: [resource], scope: '*' }];
}

/** A check that can't be made lets the write through: what is invalid fails later, what is valid must not fail for us. */
const failurePolicy = 'Ignore';

export function admissionPolicy(target: ManifestTarget): readonly Manifest[] {
  return allRules(target).flatMap((rules) => policyOf(rules, `${target.account.name}-${rules.name}`));
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

/** One call a write, whichever of the rules look at it: all are for the same kind. */
export function admissionWebhook(target: ManifestTarget): readonly Manifest[] {
  const { account, hub, url, ca, hookToken } = target;
  const concerns = allRules(target).map(({ when }) => `(${when.expression})`);
  const path = `${url}/hubs/${hub}/admission`;
  const configuration = {
    apiVersion: GROUP,
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name: `${account.name}-${rebalancerRules.name}` },
    webhooks: [
      {
        name: `${rebalancerRules.name}.evenkeel.internal`,
        failurePolicy,
        matchConditions: [{ name: 'concerns-evenkeel', expression: concerns.join(' || ') }],
        rules: resourceRules(rebalancerRules),
        clientConfig: {
          url: hookToken === undefined ? path : `${path}/${reviewKeyOf(hub, hookToken)}`,
          ...(ca !== undefined && { caBundle: Buffer.from(ca).toString('base64') }),
        },
        admissionReviewVersions: ['v1'],
        sideEffects: 'None',
        timeoutSeconds: WEBHOOK_TIMEOUT_SECONDS,
      },
    ],
  };
  const comment =
    'Without --hook-token-file the API server has to present a hook token by itself: start it with\n' +
    '--admission-control-config-file (docs/connect-a-hub.md), or every review is answered 401 and the write goes through.';
  return [{ ...(hookToken === undefined && { comment }), object: configuration }];
}
