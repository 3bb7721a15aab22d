/** Selects the stored data that belongs to an answer. */

import { notFound } from '../../shared/console-api/error-response.ts';
import type { ObjectKind } from '../../shared/console-api/operations/objects.ts';
import { Fault } from '../../shared/core/fault.ts';
import type { Settings } from '../../shared/core/settings.ts';
import type { DeschedulingDecision } from '../../shared/descheduling/descheduling.ts';
import { hubFeatures } from '../../shared/kubernetes/hub-features.ts';
import { keyText, type ObjectKey } from '../../shared/kubernetes/object-key.ts';
import type { RunRecord } from '../../shared/rebalance-policy/policy-run.ts';
import { RECENT_RUNS } from '../../shared/rebalance-policy/policy-store.ts';
import { RECENT_TASKS } from '../../shared/workload-rebalancer/task-store.ts';

/** Histories are read so far back for one thing in them. */
export const FAR_BACK = 500;

/** A path has no empty part. */
export function bindingAt({ namespace, name }: ObjectKey): ObjectKey {
  return { namespace: namespace === '-' ? '' : namespace, name };
}

export function ofNamespace(
  decisions: readonly DeschedulingDecision[],
  namespace: string | undefined,
): readonly DeschedulingDecision[] {
  return decisions.filter(({ binding }) => namespace === undefined || binding.namespace === namespace);
}

export function ofBinding(decisions: readonly DeschedulingDecision[], key: ObjectKey): readonly DeschedulingDecision[] {
  return decisions.filter(({ binding }) => keyText(binding) === keyText(key));
}

/** Runs are stored by hub: those of one policy are selected among many. */
export function runsToRead(limit: number, policy: string | undefined): number {
  return policy === undefined ? limit : FAR_BACK;
}

export function runsOf(all: readonly RunRecord[], limit: number, policy: string | undefined): readonly RunRecord[] {
  return all.filter(({ name }) => policy === undefined || name === policy).slice(0, limit);
}

/** Throws a Fault if the hub records no history: an empty one would look as if nothing had moved. */
export function assertRecorded(hub: string, recorded: boolean): void {
  const why = whyUnrecorded(hub, recorded);
  if (why !== undefined) throw new Fault('terminal', why, { reason: 'InvalidInput' });
}

/** Undefined if the hub's placements are recorded. */
export function whyUnrecorded(
  hub: string,
  recorded: boolean,
  { placementHistoryDays: days }: Partial<Pick<Settings, 'placementHistoryDays'>> = {},
): string | undefined {
  const { flag } = hubFeatures.history;
  if (!recorded)
    return `hub ${hub} is registered without ${flag}, so nothing is recorded; evenkeel hub set ${hub} ${flag}`;
  return days === 0 ? 'placementHistoryDays is 0, so nothing is recorded; set it to at least 1' : undefined;
}

/** Throws `fault` if there is none. */
export function found<T>(value: T | undefined, fault: Fault): T {
  if (value === undefined) throw fault;
  return value;
}

export function noBinding(hub: string, key: ObjectKey): Fault {
  return notFound(`hub ${hub} has no binding ${keyText(key)}; that of Deployment web is web-deployment`);
}

export function noObject(hub: string, kind: ObjectKind, key: ObjectKey): Fault {
  return notFound(`hub ${hub} has none of the ${kind} that is named ${keyText(key)}`);
}

export function noPolicy(hub: string, name: string): Fault {
  return notFound(`hub ${hub} has no RebalancePolicy ${name}`);
}

export function noTask(hub: string, name: string): Fault {
  return notFound(`hub ${hub} has no rebalance ${name} among its last ${RECENT_TASKS}; one that is new takes a second`);
}

export function noRun(hub: string, run: string): Fault {
  return notFound(`hub ${hub} has no run ${run} among its last ${RECENT_RUNS}`);
}
