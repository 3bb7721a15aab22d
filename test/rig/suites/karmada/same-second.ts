/** Two rebalancers of one workload, created in the same second, the first of them handled before the creation of the second. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Fleet } from './fleet.ts';
import { clusterRoleRebalancer, paths, rebalancer } from './manifests.ts';
import { type Binding, bindingOf, clusterBindingOf, type Rebalancer, seconds } from './observed-state.ts';

export interface TwoInOneSecond {
  readonly first: Rebalancer;
  /** The binding when the scheduler had acted on the first. */
  readonly between: Binding;
  readonly second: Rebalancer;
}

const ATTEMPTS = 10;

/** All of it must happen within one second of the API server's clock: repeated until it does. */
export async function twoInOneSecond(
  fleet: Fleet,
  workload: string,
  afterFirst: (name: string) => Promise<void> = async () => {},
): Promise<TwoInOneSecond> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    // At the start of a second that is later than all timestamps of the previous attempt.
    await wait(3000 - (Date.now() % 1000));
    const create = (name: string) =>
      fleet.api.create<Rebalancer>(paths.rebalancers, rebalancer(`${name}-${attempt}`, workload));
    const first = await create('first');
    const { name, creationTimestamp } = first.metadata;
    await afterFirst(name);
    const between = await bindingOnceScheduledAt(fleet, workload, creationTimestamp);
    const second = await create('second');
    if (between !== undefined && second.metadata.creationTimestamp === creationTimestamp) {
      return { first, between, second };
    }
  }
  throw new Error(`in ${ATTEMPTS} attempts no two rebalancers were created in one second with a scheduling between`);
}

/** A rebalancer over a ClusterRole, created in the second in which the role's binding was scheduled for another reason. */
export async function inSecondOfScheduling(
  fleet: Fleet,
  role: string,
): Promise<{ readonly before: Binding; readonly created: Rebalancer }> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    await wait(3000 - (Date.now() % 1000));
    const { lastScheduledTime } = (await clusterBindingOf(fleet, role)).status;
    await fleet.api.merge(`${paths.clusterRoles}/${role}`, { metadata: { labels: { attempt: `${attempt}` } } });
    let before = await clusterBindingOf(fleet, role);
    for (const end = Date.now() + 800; Date.now() < end && before.status.lastScheduledTime === lastScheduledTime; )
      before = await clusterBindingOf(fleet, role);
    const object = clusterRoleRebalancer(`reader-${attempt}`, role);
    const created = await fleet.api.create<Rebalancer>(paths.rebalancers, object);
    const isMoved = before.status.lastScheduledTime !== lastScheduledTime;
    if (isMoved && created.metadata.creationTimestamp === before.status.lastScheduledTime) return { before, created };
  }
  throw new Error(`in ${ATTEMPTS} attempts no rebalancer was created in the second of a scheduling`);
}

/** Undefined if the second passes without a scheduling. */
async function bindingOnceScheduledAt(fleet: Fleet, workload: string, time: string): Promise<Binding | undefined> {
  while (Date.now() / 1000 < seconds(time) + 1) {
    const binding = await bindingOf(fleet, workload);
    if (binding.status.lastScheduledTime === time) return binding;
  }
  return undefined;
}
