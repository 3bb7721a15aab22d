/** A member cluster as its history reads it: its state, with the reason and the capacity then. */
import * as z from 'zod/mini';
import type { Instant } from '../core/time.ts';
import type { ResourceSummary } from '../karmada/assignment/cluster.ts';
import { isDrained, type Member, memberClusters, parseMember } from '../karmada/member-cluster.ts';
import { objectMeta, parseObject } from '../kubernetes/hub-object.ts';
import type { Resource } from '../kubernetes/resource.ts';
import type { CapacityShown, MemberState } from './cluster-row.ts';

export interface ObservedCluster {
  readonly name: string;
  readonly version: string;
  readonly state: MemberState;
  readonly taints: readonly string[];
  readonly why?: string;
  readonly capacity?: CapacityShown;
  /** The hub's time of the last write of any field. */
  readonly changedAt?: Instant;
}

const schema = z.object({
  metadata: objectMeta,
  status: z.nullish(
    z.object({
      conditions: z.nullish(
        z.array(z.object({ type: z.string(), reason: z.optional(z.string()), message: z.optional(z.string()) })),
      ),
    }),
  ),
});

/** The taint of `karmadactl cordon`. */
const CORDON = 'cluster.karmada.io/unschedulable';
/** Karmada's taints of a cluster whose condition Ready is not True. */
const NOT_READY = ['cluster.karmada.io/not-ready', 'cluster.karmada.io/unreachable'];
/** Of many resources, those that limit replicas most. */
const SHOWN = ['cpu', 'memory', 'pods'];

export function parseObservedCluster(object: unknown): ObservedCluster {
  const { metadata, status } = parseObject(schema, object, 'Cluster');
  const member = parseMember(object);
  const { taints, resourceSummary } = member.cluster;
  const times = metadata.managedFields.flatMap(({ time }) => time ?? []);
  const { reason = '', message = '' } = status?.conditions?.find(({ type }) => type === 'Ready') ?? {};
  const why = [reason, message].filter((text) => text !== '').join(': ');
  const capacity = shownCapacity(resourceSummary);
  return {
    name: metadata.name,
    version: metadata.resourceVersion,
    state: stateOf(member),
    taints: taints.map(({ key, effect }) => `${key}:${effect}`).sort(),
    ...(!member.ready && why !== '' && { why }),
    ...(capacity && { capacity }),
    ...(times.length > 0 && { changedAt: Math.max(...times) }),
  };
}

function stateOf(member: Member): MemberState {
  const { taints, deleting } = member.cluster;
  if (deleting) return 'Deleting';
  if (!member.ready || taints.some(({ key }) => NOT_READY.includes(key))) return 'NotReady';
  if (isDrained(member)) return 'Drained';
  if (taints.some(({ key }) => key === CORDON)) return 'Cordoned';
  return member.healthy ? 'Ready' : 'Tainted';
}

function shownCapacity(summary: ResourceSummary | undefined): CapacityShown | undefined {
  if (summary?.allocatable == null) return undefined;
  const shown = (amounts: Readonly<Record<string, string>>) =>
    Object.fromEntries(SHOWN.flatMap((name) => (amounts[name] === undefined ? [] : [[name, amounts[name]]])));
  return { allocatable: shown(summary.allocatable), allocated: shown(summary.allocated ?? {}) };
}

export const observedClusters: Resource<ObservedCluster> = { ...memberClusters, parse: parseObservedCluster };
