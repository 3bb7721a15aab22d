/** One simulated member cluster: slots, pods that take time to become ready or wait for a slot, and a switch for failure. It knows no hub. */
import { amountOf, type Quantities } from '../../../shared/model/assignment/quantity.ts';

export interface MemberOptions {
  readonly name: string;
  /** Replica slots: so many pods, so many cores, and four times as many GiB of memory. */
  readonly capacity: number;
  readonly readyDelayMs: number;
  readonly labels?: Readonly<Record<string, string>>;
  readonly provider?: string;
  readonly region?: string;
  readonly zones?: readonly string[];
}

export interface WantedPods {
  readonly replicas: number;
  readonly request: Quantities | undefined;
}

export interface PodCounts {
  /** All pods the workload has here, the waiting ones too. */
  readonly replicas: number;
  readonly ready: number;
}

export interface MemberCluster {
  readonly options: MemberOptions;
  readonly failed: boolean;
  /** Makes the workload's pods as many as wanted; `readyAlready` of new ones were ready before the hub restarted. */
  want(workload: string, wanted: WantedPods, readyAlready?: number): void;
  counts(workload: string): PodCounts;
  workloads(): readonly string[];
  /** Of the workload's pods, those that have found no room for longer than `ms`. */
  unschedulable(workload: string, ms: number): number;
  /** How many more pods with this request fit on what is free now. */
  roomFor(request: Quantities | undefined): number;
  /** Starts waiting pods that fit by now; the workloads that gained any. */
  startWaiting(): readonly string[];
  setReadyDelay(ms: number): void;
  /** Nodes come or go: pods that have lost theirs wait for room, and those that waited may find it. */
  setCapacity(slots: number): void;
  /** Every pod is lost. */
  fail(): void;
  recover(): void;
  /** Status.resourceSummary. */
  summary(): Record<'allocatable' | 'allocated' | 'allocating', Quantities>;
}

export interface MemberSurroundings {
  readonly now: () => number;
  readonly later: (ms: number, fn: () => void) => void;
  readonly onReady: (workloads: readonly string[]) => void;
}

interface Pods {
  wanted: number;
  /** What one pod takes, by resource, a slot (`pods`) included. */
  takes: ReadonlyMap<string, number>;
  ready: number;
  /** Started and not ready yet: how many are ready when. */
  starting: { at: number; count: number }[];
  /** Without a slot: how many since when, the oldest first. */
  waiting: { readonly since: number; count: number }[];
}

const GIB = 2 ** 30;

export function createMemberCluster(options: MemberOptions, around: MemberSurroundings): MemberCluster {
  let allocatable = amountsOf(options.capacity);
  const allocated = new Map<string, number>();
  const allocating = new Map<string, number>();
  const workloads = new Map<string, Pods>();
  const waiting = new Set<string>();
  /** One timer for all pods that become ready at the same time: a bulk of 5,000 workloads is a handful of timers. */
  const due = new Map<number, Set<string>>();
  let readyDelay = options.readyDelayMs;
  let failed = false;

  /** Every change of a workload's pods goes through here, so that the sums are kept and never counted anew. */
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

  /** What found a slot leaves the front of the queue; what is not wanted any more, its end. */
  function queueUp(pods: Pods, leaving: 'oldest' | 'youngest'): void {
    const surplus =
      pods.waiting.reduce((sum, { count }) => sum + count, 0) - (failed ? 0 : pods.wanted - running(pods));
    if (surplus < 0) pods.waiting.push({ since: around.now(), count: -surplus });
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

  /** Pods of this kind that would have to go for what runs to fit again. */
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
    const at = around.now() + readyDelay;
    change(workload, pods, () => pods.starting.push({ at, count }));
    const together = due.get(at);
    if (together === undefined) {
      due.set(at, new Set([workload]));
      around.later(readyDelay, () => becomeReady(at));
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
    if (changed.length > 0) around.onReady(changed);
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
        (sum, { since, count }) => sum + (since + ms < around.now() ? count : 0),
        0,
      ),
    roomFor: (request) => (failed ? 0 : fitting(takesOf(request), Number.MAX_SAFE_INTEGER)),
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

/** Takes pods away as a ReplicaSet does: those not ready first, the youngest of them first. */
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
