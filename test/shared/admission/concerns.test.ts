/** On which writes of which kinds each set of rules is asked, what it is called, and the field that each rule names. */
import { describe, expect, it } from 'vitest';
import type { MatchedWrites } from '../../../shared/admission/admission-rules.ts';
import { flawOf } from '../../../shared/admission/evaluate-rules.ts';
import { holdRules } from '../../../shared/graceful-reduction/hold-rules.ts';
import { bindingReductionRules, policyReductionRules } from '../../../shared/graceful-reduction/reduction-rules.ts';
import { waveRules } from '../../../shared/rebalance-policy/wave-rules.ts';
import { rebalancerRules } from '../../../shared/workload-rebalancer/rebalancer-rules.ts';

function concernOf({ name, group, version, resources, operations, when }: MatchedWrites) {
  return `${name}: ${operations.join(' and ')} of ${resources.join(' and ')} of ${group}/${version} where ${when.name}`;
}

const rebalancers = 'CREATE and UPDATE of workloadrebalancers of apps.karmada.io/v1alpha1';
const bindings = 'of resourcebindings and clusterresourcebindings of work.karmada.io/v1alpha2';
const policies = 'of propagationpolicies and clusterpropagationpolicies of policy.karmada.io/v1alpha1';

/** Unknown names among them. */
function flawsOf({ when, variables }: MatchedWrites): readonly string[] {
  return [when, ...variables].flatMap(({ name, expression }) => {
    const flaw = flawOf(expression);
    return flaw === undefined ? [] : [`${name}: ${flaw}`];
  });
}

describe('the concern of rules', () => {
  it.each([
    [rebalancerRules, `workloadrebalancers: ${rebalancers} where spec-changes`],
    [waveRules('us'), `rebalance-waves: ${rebalancers} where is-or-was-a-wave`],
    [policyReductionRules, `reduction-strategies: CREATE and UPDATE ${policies} where words-change`],
    [bindingReductionRules, `reduction-queues: CREATE and UPDATE ${bindings} where words-change`],
    [holdRules('us'), `replica-reductions: UPDATE ${bindings} where moves-or-is-held`],
  ])('is which writes they are asked on: %#', (rules, description) => {
    expect(concernOf(rules)).toBe(description);
  });

  it.each([rebalancerRules, waveRules('us'), policyReductionRules, bindingReductionRules, holdRules('us')])(
    'can be evaluated: $name',
    (rules) => {
      expect(flawsOf(rules)).toEqual([]);
    },
  );

  it.each([
    [
      rebalancerRules,
      [
        'spec.workloads',
        'spec.workloads',
        'spec.workloads[].name',
        'spec.workloads[].apiVersion',
        'spec.workloads[].kind',
        'spec.ttlSecondsAfterFinished',
      ],
    ],
    [waveRules('us'), ['metadata.labels', 'spec']],
    [policyReductionRules, Array<string>(4).fill('metadata.annotations')],
    [bindingReductionRules, Array<string>(7).fill('metadata.annotations')],
  ])('is the field that each is about: %#', ({ rules }, fields) => {
    expect(rules.map(({ field }) => field)).toEqual(fields);
  });
});
