/** All observed states of a hub's WorkloadRebalancers, checked at every change against the proposal; `wrong` lists the violations. */
import type { StoreChange } from '../../local/practice-hub/store/objects.ts';
import type { ObjectReference } from '../../shared/kubernetes/object-reference.ts';

interface Observed {
  readonly workload: ObjectReference;
  readonly result?: string;
  readonly reason?: string;
}

export interface Shown {
  readonly metadata: {
    readonly name: string;
    readonly uid: string;
    readonly generation: number;
    readonly creationTimestamp: string;
  };
  readonly spec: { readonly workloads: readonly ObjectReference[]; readonly ttlSecondsAfterFinished?: number };
  readonly status?: {
    readonly observedWorkloads?: readonly Observed[];
    readonly observedGeneration?: number;
    readonly finishTime?: string;
  };
}

export interface Known {
  readonly name: string;
  readonly uid: string;
  shown: Shown;
  /** When each workload was asked for first, by the hub's clock: the creation, or the edit that added it. */
  readonly askedAt: Map<string, number>;
  readonly succeeded: Set<string>;
}

/** As in the proposal: apiVersion/kind/namespace/name. */
function nameOf({ apiVersion, kind, namespace, name }: ObjectReference): string {
  return `${apiVersion}/${kind}/${namespace ?? ''}/${name}`;
}

export class RebalancerLedger {
  readonly wrong: string[] = [];
  readonly living = new Map<string, Known>();
  /** Deletions by time to live, and by users. */
  readonly deleted = { expired: 0, byUsers: 0 };
  edits = 0;
  created = 0;
  readonly #now: () => number;
  readonly #users: ReadonlySet<string>;
  readonly #exists: (workload: string) => boolean;

  /** `users`: uids of objects that users delete. `exists`: whether a workload has a binding. */
  constructor(now: () => number, users: ReadonlySet<string>, exists: (workload: string) => boolean) {
    this.#now = now;
    this.#users = users;
    this.#exists = exists;
  }

  onChange({ type, plural, object }: StoreChange): void {
    if (plural !== 'workloadrebalancers') return;
    const shown = object as unknown as Shown;
    const { uid, name } = shown.metadata;
    const known = this.living.get(uid) ?? this.#begin(uid, name, shown);
    if (type === 'DELETED') return this.#onDeleted(known, shown);
    if (shown.metadata.generation !== known.shown.metadata.generation) this.edits += 1;
    for (const workload of shown.spec.workloads.map(nameOf)) this.#ask(known, workload, this.#now());
    this.#checkStatus(known, shown);
    known.shown = shown;
  }

  #begin(uid: string, name: string, shown: Shown): Known {
    this.created += 1;
    const createdAt = Date.parse(shown.metadata.creationTimestamp);
    const known: Known = { uid, name, shown, askedAt: new Map(), succeeded: new Set() };
    for (const workload of shown.spec.workloads.map(nameOf)) this.#ask(known, workload, createdAt);
    this.living.set(uid, known);
    return known;
  }

  #ask(known: Known, workload: string, at: number): void {
    if (!known.askedAt.has(workload)) known.askedAt.set(workload, at);
  }

  #checkStatus(known: Known, { metadata, status }: Shown): void {
    const before = known.shown.status;
    const { observedWorkloads = [], observedGeneration = 0, finishTime } = status ?? {};
    const publish = (what: string) => this.wrong.push(`${known.name}: ${what}`);
    const names = observedWorkloads.map(({ workload }) => nameOf(workload));
    if (names.some((name, index) => index > 0 && (names[index - 1] ?? '') >= name))
      publish(`its status is out of order: ${names.join(' ')}`);
    if (observedGeneration > metadata.generation || observedGeneration < (before?.observedGeneration ?? 0))
      publish(
        `it observes generation ${observedGeneration} after ${before?.observedGeneration}, of ${metadata.generation}`,
      );
    if (finishTime !== undefined && observedWorkloads.some(({ result }) => result === undefined))
      publish('it is finished with a workload that is not');
    for (const { workload, result, reason } of observedWorkloads) {
      const name = nameOf(workload);
      if (!known.askedAt.has(name)) publish(`no user asked for ${name}`);
      if (result === 'Successful' && !this.#exists(name)) publish(`${name} is Successful, and has no binding`);
      if (result === 'Failed' && (this.#exists(name) || reason !== 'ReferencedBindingNotFound'))
        publish(`${name} Failed: ${reason}`);
      if (result === 'Successful') known.succeeded.add(name);
    }
    if (status?.observedWorkloads === undefined) return;
    for (const name of known.succeeded)
      if (!names.includes(name)) publish(`${name} had succeeded, and is not reported any more`);
  }

  #onDeleted(known: Known, { metadata, spec, status }: Shown): void {
    this.living.delete(known.uid);
    if (this.#users.has(known.uid)) return void (this.deleted.byUsers += 1);
    this.deleted.expired += 1;
    const due = Date.parse(status?.finishTime ?? '') + (spec.ttlSecondsAfterFinished ?? Number.NaN) * 1000;
    // Not "later than": where finishTime or ttl is missing this is not true either.
    if (!(this.#now() >= due)) this.wrong.push(`${known.name} was deleted at ${this.#now()}, due at ${due}`);
    if (status?.observedGeneration !== metadata.generation)
      this.wrong.push(`${known.name} was deleted with an unobserved edit`);
    for (const error of openEnds(known, { metadata, spec, ...(status && { status }) }))
      this.wrong.push(`${error}, and was deleted`);
  }
}

/** What is not as it must be in the end, for one that stays. */
export function openEnds(known: Known, { metadata, spec, status }: Shown): string[] {
  const { observedWorkloads = [], observedGeneration, finishTime } = status ?? {};
  const results = new Map(observedWorkloads.map(({ workload, result }) => [nameOf(workload), result]));
  const wanted = spec.workloads.map(nameOf);
  const wrong: string[] = [];
  const publish = (what: string) => wrong.push(`${known.name}: ${what}`);
  if (observedGeneration !== metadata.generation) publish(`generation ${metadata.generation} is not observed`);
  if (finishTime === undefined) publish('it is not finished');
  for (const name of wanted) if (results.get(name) === undefined) publish(`${name} has no result`);
  // Of reported workloads only: one that was added and removed before a reconcile had no part in the finish.
  for (const name of results.keys()) {
    const asked = Math.floor((known.askedAt.get(name) ?? 0) / 1000) * 1000;
    if (Date.parse(finishTime ?? '') < asked) publish(`it finished at ${finishTime}, before ${name} was asked for`);
  }
  for (const [name, result] of results)
    if (!wanted.includes(name) && result !== 'Successful')
      publish(`${name} left the list without success, and is still reported`);
  return wrong;
}
