/** Validates a RebalancePolicy from a file. */
import { policyNameRule } from '../../shared/rebalance-policy/policy-crd.ts';
import { policyRules } from '../../shared/rebalance-policy/policy-schema.ts';
import { parseRebalancePolicy, problemsOf, rebalancePolicies } from '../../shared/rebalance-policy/rebalance-policy.ts';
import { checkerOf } from './check-written.ts';

const duration = 'a duration; write one like 30s, 5m or 1h30m';

export const checkPolicy = checkerOf({
  kind: rebalancePolicies.kind,
  plural: rebalancePolicies.plural,
  rules: [policyNameRule('object'), ...policyRules('object.spec')],
  parse: parseRebalancePolicy,
  problemsOf,
  forms: {
    cron: 'five fields; write minute, hour, day of month, month and day of week, for example "0 3 * * *"',
    stableFor: duration,
    pause: duration,
    readyWithin: duration,
    coolDown: duration,
    duration,
  },
});
