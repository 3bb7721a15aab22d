/** Reads a run of a RebalancePolicy or ClusterDrain with its decisions. */
import type { RunWithDecisions } from './policy-run.ts';
import { type PolicyStore, RECENT_RUNS } from './policy-store.ts';

export async function readNamedRun(
  policies: PolicyStore,
  { hub, run }: { readonly hub: string; readonly run: string },
): Promise<RunWithDecisions | undefined> {
  const records = await policies.runs(hub, RECENT_RUNS);
  const record = records.find((each) => each.run.run === run);
  return record && { record, ...(await policies.decisions({ hub, uid: record.uid, run })) };
}
