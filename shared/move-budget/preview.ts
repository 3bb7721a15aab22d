/** What a policy or drain would move now. */
import type { PlannedRun } from '../rebalance-policy/plan-run.ts';
import type { Trigger } from '../rebalance-policy/policy-run.ts';

export interface PolicyPreview extends Pick<PlannedRun, 'waves' | 'skipped' | 'still' | 'unselected'> {
  readonly triggers: readonly Trigger[];
  readonly notes: readonly string[];
}
