/** Makes of the documents that a person named what a plan needs; throws one Fault that lists all that is wrong with them. */
import { type Cluster, clusters, parseCluster } from '../../shared/model/assignment/cluster.ts';
import { clusterResourceBindings, resourceBindings } from '../../shared/model/binding.ts';
import { keyText } from '../../shared/model/object-key.ts';
import { parsePlacedBinding } from '../../shared/model/placed-binding.ts';
import type { Resource } from '../../shared/model/resource.ts';
import { workloadRebalancers } from '../../shared/model/workload-rebalancer.ts';
import { wrong } from '../manifests/target.ts';
import { bindingWrong, clusterWrong, schemaWrong, type Wrong } from './check-object.ts';
import { isModelled, nothingCollected, type PlanInput } from './plan-input.ts';
import type { HubDocument } from './read-documents.ts';

const known: readonly Resource<unknown>[] = [clusters, resourceBindings, clusterResourceBindings, workloadRebalancers];
/** More than this many would not be read. */
const SHOWN = 10;
/** For objects that no hub has seen yet. */
const unseen = { uid: 'none', resourceVersion: '0', creationTimestamp: '1970-01-01T00:00:00Z' };

export function objectsOfFiles(documents: readonly HubDocument[], namespace = 'default'): PlanInput {
  const collected = nothingCollected();
  const problems: string[] = [];
  const places = new Map<string, string>();
  const passedOver = new Map<string, number>();
  for (const document of documents) {
    const nameless = unnamed(document);
    const resource = known.find((each) => each.kind === document.object.kind && each.group === groupOf(document));
    if (nameless === undefined && resource === undefined) {
      const kind = String(document.object.kind);
      passedOver.set(kind, (passedOver.get(kind) ?? 0) + 1);
      continue;
    }
    const problem =
      resource === undefined
        ? nameless
        : (notThisVersion(document, resource) ??
          twice(document, placeOf(document, resource, namespace), places) ??
          take(document, resource, { namespace, collected }));
    if (problem !== undefined) problems.push(problem);
  }
  if (problems.length > 0) throw wrong(listed(problems));
  const others = [...passedOver].map(([kind, count]) => `${count} ${kind}`).join(', ');
  const notes = others === '' ? [] : [`passed over, being no part of a plan: ${others}`];
  return { ...collected, notes, unread: [] };
}

/** Without both nobody can tell whether it is part of a plan. */
function unnamed(document: HubDocument): string | undefined {
  const missing = ['kind', 'apiVersion'].find((field) => {
    const value = document.object[field];
    return typeof value !== 'string' || value === '';
  });
  const what = 'is missing; every object has a kind and an apiVersion';
  return missing && tell(document, { path: [missing], what });
}

function groupOf({ object: { apiVersion } }: HubDocument): string {
  return typeof apiVersion === 'string' ? (apiVersion.split('/')[0] ?? '') : '';
}

function notThisVersion(document: HubDocument, { group, version }: Resource<unknown>): string | undefined {
  const { apiVersion } = document.object;
  const what = `${JSON.stringify(apiVersion)} is not ${group}/${version}; get the object in that version`;
  return apiVersion === `${group}/${version}` ? undefined : tell(document, { path: ['apiVersion'], what });
}

function placeOf({ object }: HubDocument, { kind, namespaced }: Resource<unknown>, namespace: string): string {
  const { name, namespace: own } = metadataOf(object);
  const within = typeof own === 'string' ? own : namespace;
  return `${kind} ${namespaced ? `${within}/` : ''}${typeof name === 'string' ? name : ''}`;
}

/** Which of the two is meant is not for us to choose. */
function twice({ where }: HubDocument, object: string, places: Map<string, string>): string | undefined {
  const before = places.get(object);
  places.set(object, where);
  return before && `${where}: ${object} was in ${before} already; leave one of them out`;
}

interface Taking {
  readonly namespace: string;
  readonly collected: ReturnType<typeof nothingCollected>;
}

/** What is wrong with it; undefined where it is taken. */
function take(document: HubDocument, resource: Resource<unknown>, taking: Taking): string | undefined {
  const object = completed(document, resource, taking.namespace);
  try {
    const found = takeParsed(object, resource, taking.collected);
    return found && tell(document, found);
  } catch (thrown) {
    const found = schemaWrong(thrown, object);
    if (found === undefined) throw thrown;
    return tell(document, found);
  }
}

function takeParsed(object: object, { kind }: Resource<unknown>, collected: Taking['collected']): Wrong | undefined {
  if (kind === clusters.kind) {
    const cluster: Cluster = parseCluster(object);
    collected.clusters.set(cluster.name, cluster);
    if (isModelled(object)) collected.modelled.add(cluster.name);
    if (isUnsaid(object)) collected.unsaid.add(cluster.name);
    return clusterWrong(cluster);
  }
  if (kind === workloadRebalancers.kind) {
    const rebalancer = workloadRebalancers.parse(object);
    collected.rebalancers.set(rebalancer.name, rebalancer.workloads);
    return undefined;
  }
  const binding = parsePlacedBinding(object);
  collected.bindings.set(keyText(binding.metadata), binding);
  return bindingWrong(binding);
}

/**
 * Whether a Cluster leaves open what it serves (status.apiEnablements), as people who write one down do. One that comes
 * from a hub and has no report at all does not: nothing is scheduled to it.
 */
function isUnsaid(object: object): boolean {
  const { metadata, status } = object as {
    metadata?: { uid?: string };
    status?: { apiEnablements?: unknown; resourceSummary?: unknown };
  };
  if (status?.apiEnablements != null) return false;
  return status?.resourceSummary != null || metadata?.uid === unseen.uid;
}

/** As kubectl and the hub would complete it: the namespace where it has none, and what only a hub gives. */
function completed({ object }: HubDocument, { namespaced }: Resource<unknown>, namespace: string): object {
  const { namespace: own, ...metadata } = metadataOf(object);
  return { ...object, metadata: { ...unseen, ...(namespaced && { namespace: own ?? namespace }), ...metadata } };
}

function metadataOf({ metadata }: HubDocument['object']): Readonly<Record<string, unknown>> {
  return typeof metadata === 'object' && metadata !== null ? (metadata as Record<string, unknown>) : {};
}

/** "fleet.yaml, document 2, line 14 (ResourceBinding shop/web): spec.replicas: -3 is not …". */
function tell({ object, where, lineOf }: HubDocument, { path, what }: Wrong): string {
  const line = lineOf(path);
  const { name, namespace } = metadataOf(object);
  const named = typeof name === 'string' ? `${typeof namespace === 'string' ? `${namespace}/` : ''}${name}` : '';
  const who = [object.kind, named].filter((part) => typeof part === 'string' && part !== '').join(' ');
  const place = `${where}${line === undefined ? '' : `, line ${line}`}${who === '' ? '' : ` (${who})`}`;
  return `${place}: ${path.map(String).join('.')}: ${what}`;
}

function listed(problems: readonly string[]): string {
  if (problems.length === 1) return problems.join('');
  const more = problems.length > SHOWN ? [`and ${problems.length - SHOWN} more`] : [];
  return [`${problems.length} objects cannot be read`, ...problems.slice(0, SHOWN), ...more].join('\n  ');
}
