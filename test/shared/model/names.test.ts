/** Names that people, other controllers and objects on hubs know: changed, what was written under the old one is lost. */
import { expect, it } from 'vitest';
import { DESCHEDULED_AT } from '../../../shared/model/descheduling.ts';
import { FIELD_MANAGER } from '../../../shared/model/field-manager.ts';
import { APPLIED_PLACEMENT } from '../../../shared/model/placed-binding.ts';
import { DESCHEDULING, HUB_NAMESPACE, RESCHEDULING_POLICY } from '../../../shared/model/rescheduling-policy.ts';

it.each([
  [DESCHEDULED_AT, 'evenkeel.dev/descheduled-at'],
  [FIELD_MANAGER, 'evenkeel'],
  [APPLIED_PLACEMENT, 'policy.karmada.io/applied-placement'],
  [RESCHEDULING_POLICY, 'evenkeel.dev/rescheduling-policy'],
  [DESCHEDULING, 'evenkeel.dev/descheduling'],
  [HUB_NAMESPACE, 'karmada-system'],
])('%s is what it always was', (name, always) => {
  expect(name).toBe(always);
});
