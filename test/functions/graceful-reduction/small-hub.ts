/**
 * A hub with one binding and three members, small enough for thousands of runs: what Karmada's controllers, its scheduler, users and
 * our release function do, each in steps of its own that a test puts in any order. Admission is the rules that we ship.
 */
import { isDeepStrictEqual } from 'node:util';
import { decideWrite, withPolicyAnnotations } from '../../../functions/graceful-reduction/release-reduction.ts';
import { applyPatch } from '../../../shared/admission/apply-patch.ts';
import { compileMutation } from '../../../shared/admission/evaluate-rules.ts';
import { toTimestamp } from '../../../shared/core/time.ts';
import { holdRules } from '../../../shared/graceful-reduction/hold-rules.ts';
import {
  DELAY_WORK_DELETION,
  QUEUE,
  REDUCTION_STRATEGY,
} from '../../../shared/graceful-reduction/replica-reduction.ts';
import { parseMember } from '../../../shared/karmada/member-cluster.ts';
import { parsePlacedBinding } from '../../../shared/karmada/placed-binding.ts';
import { bindingObject, clusterObject } from '../../placed-objects.ts';

export const CLUSTERS = ['m1', 'm2', 'm3'] as const;
export const GRACE_SECONDS = 600;
export const US = 'system:serviceaccount:evenkeel:evenkeel';
const mutation = compileMutation(holdRules(US));

interface TargetCluster {
  readonly name: string;
  readonly replicas: number;
}

export interface EvictionTask {
  readonly fromCluster: string;
  readonly producer?: string;
  readonly creationTimestamp?: string;
}

export interface BindingObject {
  metadata: {
    annotations: Record<string, string>;
    generation: number;
    resourceVersion: string;
    deletionTimestamp?: string;
    [field: string]: unknown;
  };
  spec: {
    replicas?: number;
    clusters?: readonly TargetCluster[];
    gracefulEvictionTasks?: readonly EvictionTask[];
    requiredBy?: readonly { readonly clusters: readonly TargetCluster[] }[];
    suspension?: { dispatching?: boolean; dispatchingOnClusters?: { clusterNames: readonly string[] } };
    rescheduleTriggeredAt?: string;
    resource: Record<string, unknown>;
    [field: string]: unknown;
  };
  status: { lastScheduledTime?: string; aggregatedStatus?: readonly object[]; [field: string]: unknown };
}

interface Work {
  replicas: number;
  template: number;
  suspended: boolean;
}

/** A member's Deployment: how many it wants, and when each of its pods is ready. */
interface Workload {
  wanted: number;
  template: number;
  readyAt: number[];
}

/** A write as admitted, for the checks of holds. */
export interface Written {
  readonly by: string;
  readonly at: number;
  readonly before: BindingObject;
  readonly after: BindingObject;
}

export interface SmallHubOptions {
  readonly initial: Readonly<Record<string, number>>;
  readonly readyAfterSeconds: () => number;
}

export class SmallHub {
  now = Date.parse('2026-11-21T10:00:00Z');
  binding: BindingObject;
  template = 1;
  readonly failed = new Set<string>();
  readonly works = new Map<string, Work>();
  readonly workloads = new Map<string, Workload>();
  readonly written: Written[] = [];
  /** What our function decided last, for the story of a run that went wrong. */
  readonly story: string[] = [];
  readonly #readyAfterSeconds: () => number;
  #version = 1;

  constructor({ initial, readyAfterSeconds }: SmallHubOptions) {
    this.#readyAfterSeconds = readyAfterSeconds;
    const replicas = Object.values(initial).reduce((sum, count) => sum + count, 0);
    const scheduled = { placement: {}, at: toTimestamp(this.now - 3600_000) };
    this.binding = bindingObject({
      replicas,
      current: initial,
      scheduled,
    }) as BindingObject;
    this.binding.metadata.annotations[REDUCTION_STRATEGY] = DELAY_WORK_DELETION;
    this.syncWorks();
    this.runWorks();
    for (const { readyAt } of this.workloads.values()) readyAt.fill(this.now);
    this.reportStatus();
  }

  get ready(): number {
    return CLUSTERS.reduce((sum, name) => sum + this.readyOn(name), 0);
  }

  readyOn(name: string): number {
    if (this.failed.has(name)) return 0;
    return (this.workloads.get(name)?.readyAt ?? []).filter((at) => at <= this.now).length;
  }

  assigned(name: string): number {
    return this.binding.spec.clusters?.find((cluster) => cluster.name === name)?.replicas ?? 0;
  }

  get queue(): readonly string[] {
    return queueIn(this.binding);
  }

  /** A write of the main resource by any user: admission, then Karmada's own webhook, then the store. */
  write(by: string, edit: (object: BindingObject) => void): void {
    const before = this.binding;
    const edited = structuredClone(before);
    edit(edited);
    if (isDeepStrictEqual(edited, before)) return;
    edited.metadata.managedFields = [{ manager: by, operation: 'Update', time: toTimestamp(this.now) }];
    const write = { object: edited, oldObject: before, request: { userInfo: { username: by } } };
    const steps = mutation(write);
    if (steps === undefined) throw new Error(`the rules could not be evaluated on a write by ${by}`);
    const after = applyPatch(edited, steps);
    // Of some writes only: it takes as long as all the rest.
    if (this.#version % 8 === 0 && JSON.stringify(mutation({ ...write, object: after })) !== '[]')
      throw new Error(`the rules find more to change in what they made of a write by ${by}`);
    after.spec = { ...after.spec, ...stamped(after, this.now) };
    after.metadata.resourceVersion = String(++this.#version);
    if (!isDeepStrictEqual(after.spec, before.spec)) after.metadata.generation += 1;
    this.binding = after;
    this.written.push({ by, at: this.now, before, after });
    this.story.push(`${by}: ${textOf(after)}`);
  }

  writeStatus(status: Partial<BindingObject['status']>): void {
    this.binding = structuredClone(this.binding);
    Object.assign(this.binding.status, status);
    this.binding.metadata.resourceVersion = String(++this.#version);
  }

  /** The scheduler divides all replicas by `shares`, over clusters that it may use. */
  schedule(shares: Readonly<Record<string, number>>): void {
    this.write('karmada-scheduler', ({ spec }) => {
      spec.clusters = Object.entries(shares).flatMap(([name, replicas]) => (replicas > 0 ? [{ name, replicas }] : []));
    });
    this.writeStatus({ lastScheduledTime: toTimestamp(this.now) });
  }

  /** Clusters that the scheduler may assign replicas to: healthy, and not being evicted. */
  get usable(): readonly string[] {
    const tasks = this.binding.spec.gracefulEvictionTasks ?? [];
    return CLUSTERS.filter((name) => !this.failed.has(name) && !tasks.some(({ fromCluster }) => fromCluster === name));
  }

  /** Karmada's binding controller. */
  syncWorks(): void {
    const { clusters = [], gracefulEvictionTasks = [], requiredBy = [], suspension } = this.binding.spec;
    const names = suspension?.dispatchingOnClusters?.clusterNames ?? [];
    const isAssigned = ({ name: of }: TargetCluster) => clusters.some(({ name }) => name === of);
    const required = requiredBy.flatMap((line) => line.clusters.filter((target) => !isAssigned(target)));
    const targets = [...clusters, ...required];
    const kept = new Set([
      ...targets.map(({ name }) => name),
      ...gracefulEvictionTasks.map((task) => task.fromCluster),
    ]);
    for (const name of CLUSTERS) if (!kept.has(name)) this.works.delete(name);
    for (const { name, replicas } of targets) {
      const suspended = suspension?.dispatching === true || names.includes(name);
      this.works.set(name, { replicas, template: this.template, suspended });
    }
  }

  /** Its execution controller, and the members' own. */
  runWorks(): void {
    for (const name of CLUSTERS) {
      if (this.failed.has(name)) continue;
      const work = this.works.get(name);
      if (work === undefined) this.workloads.delete(name);
      else if (!work.suspended) this.#resize(name, work);
    }
  }

  /** Pods that are not ready go first, as a ReplicaSet has it. A new template replaces none before its successor is ready. */
  #resize(name: string, { replicas, template }: Work): void {
    const workload = this.workloads.get(name) ?? { wanted: 0, template, readyAt: [] };
    const pods = workload.readyAt.toSorted((a, b) => a - b).slice(0, replicas);
    while (pods.length < replicas) pods.push(this.now + this.#readyAfterSeconds() * 1000);
    this.workloads.set(name, { wanted: replicas, template, readyAt: pods });
  }

  reportStatus(): void {
    const before = (this.binding.status.aggregatedStatus ?? []) as { clusterName: string }[];
    const aggregatedStatus = [...this.works].flatMap(([clusterName]) => {
      if (this.failed.has(clusterName)) return before.filter((item) => item.clusterName === clusterName);
      const workload = this.workloads.get(clusterName);
      if (workload === undefined) return [{ clusterName, applied: true, health: 'Unknown' }];
      const ready = this.readyOn(clusterName);
      const { wanted: replicas, template: resourceTemplateGeneration } = workload;
      const status = {
        replicas,
        updatedReplicas: replicas,
        resourceTemplateGeneration,
        generation: 1,
        observedGeneration: 1,
      };
      return [{ clusterName, applied: true, status: { ...status, ...(ready > 0 && { readyReplicas: ready }) } }];
    });
    this.writeStatus({ aggregatedStatus });
  }

  /** The detector, after a change of template or policy: what it does not know of goes. */
  changeTemplate(edit: (spec: BindingObject['spec']) => void = () => {}): void {
    this.template += 1;
    this.write('karmada-controller-manager', ({ spec }) => {
      spec.resource.resourceVersion = String(this.template);
      delete spec.suspension;
      edit(spec);
    });
  }

  /** Karmada's failover: its own task, and out of spec.clusters. */
  evict(name: string): void {
    this.write('karmada-controller-manager', ({ spec }) => {
      const others = (spec.gracefulEvictionTasks ?? []).filter(({ fromCluster }) => fromCluster !== name);
      spec.clusters = (spec.clusters ?? []).filter((cluster) => cluster.name !== name);
      spec.gracefulEvictionTasks = [...others, { fromCluster: name, producer: 'TaintManager' }];
    });
  }

  endEvictions(): void {
    this.write('karmada-controller-manager', ({ spec }) => {
      if (spec.gracefulEvictionTasks === undefined) return;
      spec.gracefulEvictionTasks = [];
    });
  }

  /** Our function reads now; its write is carried out later, if no other write came in between. */
  look(): () => void {
    const read = this.binding;
    const members = new Map(
      CLUSTERS.map((name) => [name, parseMember(memberObject(name, !this.failed.has(name)))] as const),
    );
    const annotated = withPolicyAnnotations(parsePlacedBinding(read), undefined);
    const write = decideWrite(
      {
        binding: annotated.binding,
        members,
        now: this.now,
        graceSeconds: GRACE_SECONDS,
        releaseOnTemplateChange: false,
      },
      annotated,
    );
    this.story.push(`look: ${write.reason}`);
    return () => {
      if (write.patch === undefined || this.binding.metadata.resourceVersion !== read.metadata.resourceVersion) return;
      this.write(US, (object) => merge(object as unknown as Json, write.patch as Json));
    };
  }
}

type Json = { [field: string]: unknown };

/** RFC 7386. */
function merge(target: Json, patch: Json): void {
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete target[name];
    else if (typeof value === 'object' && !Array.isArray(value)) {
      target[name] = { ...(target[name] as Json | undefined) };
      merge(target[name] as Json, value as Json);
    } else target[name] = value;
  }
}

function stamped({ spec }: BindingObject, now: number): Partial<BindingObject['spec']> {
  const { gracefulEvictionTasks: tasks } = spec;
  if (tasks === undefined) return {};
  return { gracefulEvictionTasks: tasks.map((task) => ({ creationTimestamp: toTimestamp(now), ...task })) };
}

function memberObject(name: string, ready: boolean): object {
  const cluster = clusterObject(name) as { status: object };
  const conditions = [{ type: 'Ready', status: ready ? 'True' : 'False' }];
  return { ...cluster, status: { ...cluster.status, conditions } };
}

export function queueIn({ metadata }: BindingObject): readonly string[] {
  return Object.keys(metadata.annotations).flatMap((name) =>
    name.startsWith(QUEUE) ? [name.slice(QUEUE.length)] : [],
  );
}

export function textOf({ metadata, spec }: BindingObject): string {
  const clusters = (spec.clusters ?? []).map(({ name, replicas }) => `${name} ${replicas}`).join(', ');
  const tasks = (spec.gracefulEvictionTasks ?? []).map(({ fromCluster, producer }) => `${producer}/${fromCluster}`);
  const required = (spec.requiredBy ?? []).flatMap((line) =>
    line.clusters.map(({ name, replicas }) => `${name} ${replicas}`),
  );
  const names = spec.suspension?.dispatchingOnClusters?.clusterNames ?? [];
  const queue = Object.entries(metadata.annotations).flatMap(([name, text]) =>
    name.startsWith(QUEUE) ? [`${name.slice(QUEUE.length)}=${text}`] : [],
  );
  return `${spec.replicas ?? 0} as [${clusters}] tasks [${tasks.join(' ')}] required [${required.join(' ')}] suspended [${names.join(' ')}] queue [${queue.join(' ')}]`;
}
