/** Decides whether a write of a WorkloadRebalancer may go through: what it says, and who may write a wave of a policy. */
import { compileRules } from '../../shared/model/admission/evaluate-rules.ts';
import { rebalancerRules } from '../../shared/model/admission/rebalancer-rules.ts';
import { waveRules } from '../../shared/model/admission/wave-rules.ts';
import { perAccount, type ReviewRequest, type Verdict, verdictOf, writeOf } from './review-request.ts';

const rebalancerFinding = compileRules(rebalancerRules);
const waveFinding = perAccount((account) => compileRules(waveRules(account)));

/** Whose account we can't tell may write waves too. */
export function reviewRebalancer(asked: ReviewRequest, account: string | undefined): Verdict {
  const rules = [rebalancerFinding, ...(account === undefined ? [] : [waveFinding(account)])];
  return verdictOf(rules.map((finding) => finding(writeOf(asked))));
}
