/** Reads the runs of RebalancePolicies and ClusterDrains: the last of each is in its state, those before are in the history. */
import { hasRun, type RunRecord, type RunWithDecisions, recordOf } from './policy-run.ts';
import { type PolicyStore, RECENT_RUNS } from './policy-store.ts';

/** The latest runs of a hub, newest first. */
export async function readRuns(
  policies: Pick<PolicyStore, 'readStates' | 'runs'>,
  hub: string,
  limit: number,
): Promise<readonly RunRecord[]> {
  // Before the history: a run that leaves the state is in the history already.
  const last = (await policies.readStates(hub)).filter(hasRun).map((state) => recordOf(state, state.run));
  const isLast = ({ uid, run }: RunRecord) => last.some((each) => each.uid === uid && each.run.run === run.run);
  const earlier = (await policies.runs(hub, limit)).filter((record) => !isLast(record));
  return [...last, ...earlier].sort((a, b) => (orderOf(a) < orderOf(b) ? 1 : -1)).slice(0, limit);
}

function orderOf({ uid, run }: RunRecord): string {
  return `${run.run} ${uid}`;
}

export async function readNamedRun(
  policies: PolicyStore,
  { hub, run }: { readonly hub: string; readonly run: string },
): Promise<RunWithDecisions | undefined> {
  const records = await readRuns(policies, hub, RECENT_RUNS);
  const record = records.find((each) => each.run.run === run);
  return record && { record, ...(await policies.decisions({ hub, uid: record.uid, run })) };
}
