/** Reviews a write of a WorkloadRebalancer: its content, and who may write a wave of a policy. */
import { compileRules } from '../../shared/admission/evaluate-rules.ts';
import { waveRules } from '../../shared/rebalance-policy/wave-rules.ts';
import { rebalancerRules } from '../../shared/workload-rebalancer/rebalancer-rules.ts';
import { type AdmissionResult, admissionResultOf, perAccount, type ReviewRequest, writeOf } from './review-request.ts';

const rebalancerFinding = compileRules(rebalancerRules);
const waveFinding = perAccount((account) => compileRules(waveRules(account)));

/** Without a known account of ours, every client may write waves. */
export function reviewRebalancer(asked: ReviewRequest, account: string | undefined): AdmissionResult {
  const rules = [rebalancerFinding, ...(account === undefined ? [] : [waveFinding(account)])];
  return admissionResultOf(rules.map((finding) => finding(writeOf(asked))));
}
