/** Names that users, other controllers and objects on hubs depend on: if one changes, data under the old name is lost. */
import { expect, it } from 'vitest';
import { DESCHEDULED_AT } from '../../../shared/descheduling/descheduling.ts';
import { APPLIED_PLACEMENT } from '../../../shared/karmada/placed-binding.ts';
import { DESCHEDULING, HUB_NAMESPACE, RESCHEDULING_POLICY } from '../../../shared/karmada/rescheduling-policy.ts';
import { FIELD_MANAGER } from '../../../shared/kubernetes/resource.ts';

it.each([
  [DESCHEDULED_AT, 'evenkeel.dev/descheduled-at'],
  [FIELD_MANAGER, 'evenkeel'],
  [APPLIED_PLACEMENT, 'policy.karmada.io/applied-placement'],
  [RESCHEDULING_POLICY, 'evenkeel.dev/rescheduling-policy'],
  [DESCHEDULING, 'evenkeel.dev/descheduling'],
  [HUB_NAMESPACE, 'karmada-system'],
])('%s has not changed', (name, always) => {
  expect(name).toBe(always);
});
