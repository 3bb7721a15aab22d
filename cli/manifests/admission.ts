/** What has a hub refuse an invalid object: by a policy in its API server, or by asking the hook, with the same rules. */
import { reviewKeyOf } from '../../shared/adapters/secrets-manager/review-key.ts';
import type { AdmissionRules } from '../../shared/model/admission/admission-rules.ts';
import { rebalancerRules } from '../../shared/model/admission/rebalancer-rules.ts';
import type { ManifestTarget } from './target.ts';
import type { Manifest } from './to-yaml.ts';

const GROUP = 'admissionregistration.k8s.io/v1';
const WEBHOOK_TIMEOUT_SECONDS = 3;

const rules: AdmissionRules = rebalancerRules;

/** Both go by the same rule on what is looked at: never a delete, nor a subresource. */
const resourceRules = [
  {
    apiGroups: [rules.group],
    apiVersions: [rules.version],
    operations: rules.operations,
    resources: [rules.resource],
    scope: '*',
  },
];

/** A check that can't be made lets the write through: what is invalid fails later, what is valid must not fail for us. */
const common = { failurePolicy: 'Ignore', matchConditions: [rules.when] };

export function admissionPolicy({ account }: ManifestTarget): readonly Manifest[] {
  const name = `${account.name}-${rules.resource}`;
  const policy = {
    apiVersion: GROUP,
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name },
    spec: {
      ...common,
      matchConstraints: { resourceRules },
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

export function admissionWebhook(target: ManifestTarget): readonly Manifest[] {
  const { account, hub, url, ca, hookToken } = target;
  const path = `${url}/hubs/${hub}/admission`;
  const configuration = {
    apiVersion: GROUP,
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name: `${account.name}-${rules.resource}` },
    webhooks: [
      {
        name: `${rules.resource}.evenkeel.internal`,
        ...common,
        rules: resourceRules,
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
