/** One simulated member cluster: slots, pods that become ready after a delay or wait for a slot, and a failure switch. It is independent of the hub. */
import { amountOf, type Quantities } from '../../../shared/karmada/assignment/quantity.ts';

export interface MemberOptions {
  readonly name: string;
  /** Replica slots: so many pods, so many cores, and four times as many GiB of memory. */
  readonly capacity: number;
  readonly readyDelayMs: number;
  readonly labels?: Readonly<Record<string, string>>;
}

export interface WantedPods {
  readonly replicas: number;
  readonly request: Quantities | undefined;
}

export interface PodCounts {
  /** All pods of the workload here, including pending ones. */
  readonly replicas: number;
  readonly ready: number;
}

export interface MemberCluster {
  readonly options: MemberOptions;
  readonly failed: boolean;
  /** Scales the workload to `wanted` pods; `readyAlready` of new ones were ready before the hub restarted. */
  want(workload: string, wanted: WantedPods, readyAlready?: number): void;
  counts(workload: string): PodCounts;
  workloads(): readonly string[];
  /** Pods of the workload that have been pending for longer than `ms`. */
  unschedulable(workload: string, ms: number): number;
  /** How many more pods with this request fit on the free capacity. */
  capacityFor(request: Quantities | undefined): number;
  /** Starts pending pods that fit now; returns the workloads that gained any. */
  startWaiting(): readonly string[];
  setReadyDelay(ms: number): void;
  /** Changes the number of slots: pods without a slot become pending, and pending pods may start. */
  setCapacity(slots: number): void;
  /** All pods are lost. */
  fail(): void;
  recover(): void;
  /** Status.resourceSummary. */
  summary(): Record<'allocatable' | 'allocated' | 'allocating', Quantities>;
}

export interface MemberDependencies {
  readonly now: () => number;
  readonly later: (ms: number, fn: () => void) => void;
  readonly onReady: (workloads: readonly string[]) => void;
}

interface Pods {
  wanted: number;
  /** The request of one pod, by resource, including a slot (`pods`). */
  takes: ReadonlyMap<string, number>;
  ready: number;
  /** Started pods that are not ready: how many become ready when. */
  starting: { at: number; count: number }[];
  /** Pods without a slot: how many since when, oldest first. */
  waiting: { readonly since: number; count: number }[];
}

const GIB = 2 ** 30;

export function createMemberCluster(options: MemberOptions, context: MemberDependencies): MemberCluster {
  let allocatable = amountsOf(options.capacity);
  const allocated = new Map<string, number>();
  const allocating = new Map<string, number>();
  const workloads = new Map<string, Pods>();
  const waiting = new Set<string>();
  /** One timer for all pods that become ready at the same time, since 5,000 workloads may start together. */
  const due = new Map<number, Set<string>>();
  let readyDelay = options.readyDelayMs;
  let failed = false;

  /** All changes of a workload's pods use this function, which keeps the sums up to date. */
  function change(workload: string, pods: Pods, edit: () => void): void {
    account(pods, -1);
    const before = running(pods);
    edit();
    account(pods, 1);
    queueUp(pods, running(pods) > before ? 'oldest' : 'youngest');
    if (!failed && pods.wanted > running(pods)) waiting.add(workload);
    else waiting.delete(workload);
  }

  function account(pods: Pods, sign: 1 | -1): void {
    const count = running(pods);
    for (const [resource, amount] of pods.takes) {
      allocated.set(resource, (allocated.get(resource) ?? 0) + sign * count * amount);
      allocating.set(resource, (allocating.get(resource) ?? 0) + sign * (pods.wanted - count) * amount);
    }
  }

  /** Pods that got a slot are removed from the front of the queue, unwanted pods from its end. */
  function queueUp(pods: Pods, leaving: 'oldest' | 'youngest'): void {
    const surplus =
      pods.waiting.reduce((sum, { count }) => sum + count, 0) - (failed ? 0 : pods.wanted - running(pods));
    if (surplus < 0) pods.waiting.push({ since: context.now(), count: -surplus });
    for (let left = surplus; left > 0; ) {
      const batch = leaving === 'oldest' ? pods.waiting[0] : pods.waiting.at(-1);
      if (batch === undefined) return;
      const gone = Math.min(left, batch.count);
      batch.count -= gone;
      left -= gone;
      if (batch.count === 0) pods.waiting.splice(pods.waiting.indexOf(batch), 1);
    }
  }

  function fitting(takes: Pods['takes'], most: number): number {
    let fits = most;
    for (const [resource, amount] of takes) {
      const free = (allocatable.get(resource) ?? 0) - (allocated.get(resource) ?? 0);
      if (amount > 0) fits = Math.min(fits, Math.floor(free / amount));
    }
    return Math.max(0, fits);
  }

  /** How many pods of this kind have to stop, so that the running ones fit again. */
  function homeless(takes: Pods['takes']): number {
    const beyond = [...takes].map(([resource, amount]) => {
      const over = (allocated.get(resource) ?? 0) - (allocatable.get(resource) ?? 0);
      return amount > 0 ? Math.ceil(over / amount) : 0;
    });
    return Math.max(0, ...beyond);
  }

  function start(workload: string, pods: Pods): boolean {
    const count = failed ? 0 : fitting(pods.takes, pods.wanted - running(pods));
    if (count === 0) return false;
    const at = context.now() + readyDelay;
    change(workload, pods, () => pods.starting.push({ at, count }));
    const together = due.get(at);
    if (together === undefined) {
      due.set(at, new Set([workload]));
      context.later(readyDelay, () => becomeReady(at));
    } else together.add(workload);
    return true;
  }

  function becomeReady(at: number): void {
    const changed = [...(due.get(at) ?? [])].filter((workload) => {
      const pods = workloads.get(workload);
      const count = (pods?.starting ?? []).reduce((sum, batch) => sum + (batch.at <= at ? batch.count : 0), 0);
      if (pods === undefined || count === 0) return false;
      pods.starting = pods.starting.filter((batch) => batch.at > at);
      pods.ready += count;
      return true;
    });
    due.delete(at);
    if (changed.length > 0) context.onReady(changed);
  }

  return {
    options,
    get failed() {
      return failed;
    },
    want(workload, { replicas, request }, readyAlready = 0) {
      const takes = takesOf(request);
      const pods = workloads.get(workload) ?? { wanted: 0, takes, ready: 0, starting: [], waiting: [] };
      change(workload, pods, () => {
        pods.wanted = replicas;
        pods.takes = takes;
        if (readyAlready > 0 && !failed) pods.ready = Math.min(readyAlready, replicas);
        shrink(pods, running(pods) - replicas);
      });
      if (replicas > 0) workloads.set(workload, pods);
      else workloads.delete(workload);
      start(workload, pods);
    },
    counts(workload) {
      const pods = workloads.get(workload);
      return { replicas: pods?.wanted ?? 0, ready: pods?.ready ?? 0 };
    },
    unschedulable: (workload, ms) =>
      (workloads.get(workload)?.waiting ?? []).reduce(
        (sum, { since, count }) => sum + (since + ms < context.now() ? count : 0),
        0,
      ),
    capacityFor: (request) => (failed ? 0 : fitting(takesOf(request), Number.MAX_SAFE_INTEGER)),
    workloads: () => [...workloads.keys()],
    startWaiting() {
      return [...waiting].filter((workload) => {
        const pods = workloads.get(workload);
        return pods !== undefined && start(workload, pods);
      });
    },
    setReadyDelay(ms) {
      readyDelay = ms;
    },
    setCapacity(slots) {
      allocatable = amountsOf(slots);
      for (const [workload, pods] of workloads) {
        const surplus = Math.min(running(pods), homeless(pods.takes));
        if (surplus > 0) change(workload, pods, () => shrink(pods, surplus));
        else start(workload, pods);
      }
    },
    fail() {
      failed = true;
      for (const [workload, pods] of workloads) {
        change(workload, pods, () => {
          pods.ready = 0;
          pods.starting = [];
        });
      }
    },
    recover() {
      failed = false;
      for (const [workload, pods] of workloads) {
        change(workload, pods, () => {});
        start(workload, pods);
      }
    },
    summary: () => ({
      allocatable: quantitiesOf(allocatable),
      allocated: quantitiesOf(allocated),
      allocating: quantitiesOf(allocating),
    }),
  };
}

function amountsOf(slots: number): ReadonlyMap<string, number> {
  return new Map([
    ['cpu', slots * 1000],
    ['memory', slots * 4 * GIB],
    ['pods', slots],
  ]);
}

function running({ ready, starting }: Pods): number {
  return starting.reduce((sum, { count }) => sum + count, ready);
}

/** Removes pods as a ReplicaSet does: unready ones first, the youngest of them first. */
function shrink(pods: Pods, surplus: number): void {
  let left = surplus;
  while (left > 0 && pods.starting.length > 0) {
    const youngest = pods.starting.pop();
    if (youngest === undefined) return;
    if (youngest.count > left) pods.starting.push({ ...youngest, count: youngest.count - left });
    left -= Math.min(left, youngest.count);
  }
  if (left > 0) pods.ready -= left;
}

function takesOf(request: Quantities | undefined): ReadonlyMap<string, number> {
  const named = Object.keys(request ?? {}).map((resource) => [resource, amountOf(resource, request)] as const);
  return new Map([...named, ['pods', 1]]);
}

function quantitiesOf(amounts: ReadonlyMap<string, number>): Quantities {
  return Object.fromEntries([...amounts].map(([resource, amount]) => [resource, written(resource, amount)]));
}

function written(resource: string, amount: number): string {
  if (resource === 'cpu') return amount % 1000 === 0 ? String(amount / 1000) : `${amount}m`;
  if (resource === 'memory' && amount > 0 && amount % GIB === 0) return `${amount / GIB}Gi`;
  if (resource === 'memory' && amount > 0 && amount % 2 ** 20 === 0) return `${amount / 2 ** 20}Mi`;
  return String(amount);
}
