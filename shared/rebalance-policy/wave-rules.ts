/**
 * Only our own account may write a wave, a WorkloadRebalancer that a RebalancePolicy created. Otherwise the policy would count
 * as moved and ready what another client requested. For the policy in the API server and for the webhook.
 *
 * Every user with access may delete a wave, or edit fields other than its spec and its label.
 */

import type { AdmissionRules } from '../admission/admission-rules.ts';
import { rebalancerRules } from '../workload-rebalancer/rebalancer-rules.ts';
import { POLICY_LABEL } from '../workload-rebalancer/workload-rebalancer.ts';

const label = `'${POLICY_LABEL}'`;

function isWave(object: string): string {
  const labels = `${object}.metadata.labels`;
  return `has(${labels}) && ${label} in ${labels}`;
}

const remedy = `edit the policy, or create a rebalancer of your own without the label ${POLICY_LABEL}`;

/** `account` is our user name on the hub. */
export function waveRules(account: string): AdmissionRules {
  const { group, version, resources, operations } = rebalancerRules;
  const valueOf = (object: string) => `${object}.metadata.labels[${label}]`;
  const was = `oldObject != null && ${isWave('oldObject')}`;
  return {
    name: 'rebalance-waves',
    group,
    version,
    resources,
    operations,
    when: { name: 'is-or-was-a-wave', expression: `(${isWave('object')}) || (${was})` },
    variables: [
      { name: 'ours', expression: `request.userInfo.username == ${JSON.stringify(account)}` },
      { name: 'is', expression: isWave('object') },
      { name: 'was', expression: was },
      { name: 'policy', expression: `variables.is ? ${valueOf('object')} : ${valueOf('oldObject')}` },
      { name: 'sameLabel', expression: `variables.is && variables.was && variables.policy == ${valueOf('oldObject')}` },
    ],
    rules: [
      {
        field: 'metadata.labels',
        expression: 'variables.ours || variables.sameLabel',
        message: `'metadata.labels: ' + request.userInfo.username + ' may not set, change or remove ${POLICY_LABEL}, which makes this a wave of RebalancePolicy ' + variables.policy + '; ${remedy}'`,
      },
      {
        field: 'spec',
        expression: 'variables.ours || oldObject == null || object.spec == oldObject.spec',
        message: `'spec: ' + request.userInfo.username + ' may not edit a wave of RebalancePolicy ' + variables.policy + '; ${remedy}'`,
      },
    ],
  };
}
