/** Creates the WorkloadRebalancer of a wave exactly once, over any number of attempts. */
import { asFault, Fault } from '../../shared/model/fault.ts';
import type { Wave } from '../../shared/model/rebalance-policy/policy-run.ts';
import { workloadRebalancers } from '../../shared/model/workload-rebalancer.ts';
import type { Hub, NewObject } from '../../shared/ports/hub.ts';
import { waveMark } from './wave-rebalancer.ts';

/** Its uid, or the reason of a rejection, which a retry does not fix. Throws a retryable Fault if another object has its name. */
export type Made =
  | { readonly uid: string; readonly rejection?: undefined }
  | { readonly uid?: undefined; readonly rejection: string };

export async function madeOrFound(hub: Hub, object: NewObject, wave: Wave): Promise<Made> {
  try {
    const made = await hub.create(workloadRebalancers, object);
    if (made.result === 'done') return { uid: made.object.uid };
  } catch (thrown) {
    const { reason, message } = asFault(thrown);
    if (reason === 'Invalid' || reason === 'Forbidden') return { rejection: message };
    throw thrown;
  }
  const { name } = object.metadata;
  const found = await hub.get(workloadRebalancers, { namespace: '', name });
  if (found !== undefined && found.wave === waveMark(wave)) return { uid: found.uid };
  throw new Fault('retryable', `WorkloadRebalancer ${name} is there already and is not this wave's; delete it`, {
    reason: 'NameTaken',
  });
}
