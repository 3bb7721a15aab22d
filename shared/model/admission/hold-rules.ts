/**
 * What keeps a cluster's replicas in the very write that takes them away, and until the reduction is released: the one source
 * of the policy in the API server and of the webhook.
 *
 * The queue (an annotation a cluster) says what waits; from it follow, in every write, Karmada's own means: for a cluster that
 * is no longer assigned a line in spec.requiredBy, which has Karmada keep its Work at that size, and for one that is assigned
 * less suspended dispatching. So a hold is made by writing the queue, lost by nobody who does not know of it, and released
 * by taking the entry away.
 *
 * An API server counts what an expression costs. Each cluster is looked up in lists of names, which is a step a name; a macro
 * that visits each cluster for each of 500 would take ten times as many.
 */
import {
  DELAY_WORK_DELETION,
  QUEUE,
  REDUCTION_STRATEGY,
  RELEASED_FOR,
  REQUIRED_BY,
} from '../graceful-reduction/replica-reduction.ts';
import type { MutationRules, PatchDialect } from './admission-rules.ts';
import { createdIn, literal, notesOf, patienceIn, patienceOfNotes, sizeIn } from './queue-entry.ts';

const IN_QUEUE = literal(QUEUE);

/** An annotation's place, as a JSON pointer has it. A cluster's name has neither of the characters that a pointer escapes. */
const annotationPath = (name: string) => `/metadata/annotations/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
const entryPath = (cluster: string) => `${literal(annotationPath(QUEUE))} + ${cluster}`;

function clustersOf(object: string): string {
  return `(has(${object}.spec.clusters) ? ${object}.spec.clusters : [])`;
}

function suspendedIn(object: string): string {
  const suspension = `${object}.spec.suspension`;
  const names = `${suspension}.dispatchingOnClusters.clusterNames`;
  return `(has(${suspension}) && has(${suspension}.dispatchingOnClusters) && has(${names}) ? ${names} : [])`;
}

const tasksField = 'object.spec.gracefulEvictionTasks';

function hasQueue(object: string): string {
  return `${notesOf(object)}.exists(k, k.startsWith(${IN_QUEUE}))`;
}

const requiredField = 'object.spec.requiredBy';
const isOurs = `has(r.namespace) && has(r.name) && r.namespace == ${literal(REQUIRED_BY.namespace)} && r.name == ${literal(REQUIRED_BY.name)}`;

/** A line of ours that no entry asks for any more. */
const hasLine = `(has(${requiredField}) && ${requiredField}.exists(r, ${isOurs}))`;

/** By the field where the hub's CRD has it. Something scaled to 0, or that is being deleted, is to go. */
function asks(object: string): string {
  const notes = notesOf(object);
  const field = `${object}.spec.replicaReductionStrategy`;
  const annotation = literal(REDUCTION_STRATEGY);
  const strategy = `(has(${field}) ? ${field} : ${annotation} in ${notes} ? ${notes}[${annotation}] : '')`;
  const stays = `!has(${object}.metadata.deletionTimestamp) && has(${object}.spec.replicas) && ${object}.spec.replicas > 0`;
  return `${strategy} == ${literal(DELAY_WORK_DELETION)} && ${stays}`;
}

/** Whether the cluster `name` has at least so many in `clusters`, whose names are `names`. */
function hasAtLeast([clusters, names]: readonly [string, string], name: string, replicas: string): string {
  return `(${name} in ${names} && [${clusters}[${names}.indexOf(${name})]].exists(n, has(n.replicas) && n.replicas >= ${replicas}))`;
}

/** Of an old cluster: whether it has fewer. What is as it was needs no look at names. */
function hasLess(clusters: string, names: string): string {
  return `has(o.replicas) && o.replicas > 0 && !(o in ${clusters}) && !${hasAtLeast([clusters, names], 'o.name', 'o.replicas')}`;
}

/** The list of one list gives it a name. */
const shrinks =
  `${clustersOf('object')} != ${clustersOf('oldObject')} && [${clustersOf('object')}.map(n, n.name)].exists(names, ` +
  `${clustersOf('oldObject')}.exists(o, ${hasLess(clustersOf('object'), 'names')}))`;

/** An entry as it was before this write; empty where there was none. */
const before = (cluster: string) =>
  `(${IN_QUEUE} + ${cluster} in variables.oldNotes ? variables.oldNotes[${IN_QUEUE} + ${cluster}] : '')`;
const written = (cluster: string) => `variables.notes[${IN_QUEUE} + ${cluster}]`;

const sizeBefore = (cluster: string) => `variables.oldSizes[variables.oldNames.indexOf(${cluster})]`;

/** How much a cluster keeps. Nobody else can say that: what was noted stays, and a new entry keeps what is assigned there, or nothing. */
const sizeKept = (cluster: string) =>
  `(variables.ours ? ${sizeIn(written(cluster))} : ${IN_QUEUE} + ${cluster} in variables.oldNotes ? ${sizeIn(before(cluster))} : ` +
  `${cluster} in variables.oldNames ? ${sizeBefore(cluster)} : 0)`;

/** A cluster that is no longer assigned, with what it keeps. */
const keeps = (cluster: string) => `(${cluster} in variables.queued ? ${sizeKept(cluster)} : ${sizeBefore(cluster)})`;
const targetCluster = `{"name": dyn(c), "replicas": dyn(${keeps('c')})}`;

function queued(notes: string, condition: string): string {
  return `${notes}.filter(k, k.startsWith(${IN_QUEUE}) && ${condition}).map(k, k.substring(${QUEUE.length}))`;
}

/** What is still to be held of a cluster in the queue. */
function stillHeld(cluster: string, size: string): string {
  const assigned = ['variables.clusters', 'variables.names'] as const;
  return `${size} > 0 && !(${cluster} in variables.evicted) && !${hasAtLeast(assigned, cluster, size)}`;
}

function variables(account: string): MutationRules['variables'] {
  return [
    { name: 'ours', expression: `request.userInfo.username == ${literal(account)}` },
    { name: 'notes', expression: notesOf('object') },
    { name: 'oldNotes', expression: notesOf('oldObject') },
    { name: 'clusters', expression: clustersOf('object') },
    { name: 'names', expression: 'variables.clusters.map(n, n.name)' },
    { name: 'oldClusters', expression: clustersOf('oldObject') },
    { name: 'oldNames', expression: 'variables.oldClusters.map(o, o.name)' },
    { name: 'oldSizes', expression: 'variables.oldClusters.map(o, has(o.replicas) ? o.replicas : 0)' },
    { name: 'requiredBy', expression: `has(${requiredField}) ? ${requiredField} : []` },
    { name: 'suspended', expression: suspendedIn('object') },
    { name: 'oldSuspended', expression: suspendedIn('oldObject') },
    { name: 'asks', expression: asks('object') },
    { name: 'queued', expression: queued('variables.notes', 'true') },
    { name: 'queuedBefore', expression: queued('variables.oldNotes', 'true') },
    // Karmada's failover is at work there, or a person.
    { name: 'evicted', expression: `has(${tasksField}) ? ${tasksField}.map(t, t.fromCluster) : []` },
    {
      // Taken from the queue by a person; we note it ourselves. What would not be held any more is not released, it is dropped.
      name: 'released',
      expression:
        `variables.asks && !variables.ours ? ${queued('variables.oldNotes', '!(k in variables.notes)')}` +
        `.filter(c, ${stillHeld('c', sizeIn(before('c')))}) : []`,
    },
    { name: 'kept', expression: `variables.asks ? variables.queued.filter(c, ${stillHeld('c', sizeKept('c'))}) : []` },
    {
      // Not one whose dispatching somebody else suspended, while it stays assigned: it keeps what it has by their will.
      name: 'added',
      expression:
        `variables.asks ? variables.oldClusters.filter(o, ${hasLess('variables.clusters', 'variables.names')} && ` +
        '!(o.name in variables.queued) && !(o.name in variables.queuedBefore) && !(o.name in variables.evicted) && ' +
        '!(o.name in variables.oldSuspended && o.name in variables.names)) : []',
    },
    { name: 'held', expression: 'variables.kept + variables.added.map(o, o.name)' },
    { name: 'toKeep', expression: 'variables.held.filter(c, !(c in variables.names))' },
    { name: 'toSuspend', expression: 'variables.held.filter(c, c in variables.names)' },
    // What stood assigned was held by suspended dispatching.
    { name: 'suspendedByUs', expression: 'variables.queuedBefore.filter(c, c in variables.oldNames)' },
    { name: 'requiredByOthers', expression: `variables.requiredBy.filter(r, !(${isOurs}))` },
    { name: 'requiredByUs', expression: `variables.requiredBy.filter(r, ${isOurs})` },
    {
      // Each as a text: a map that is written here and one of the object are not alike to every evaluator. The order is a map's: none.
      name: 'keptBefore',
      expression:
        'variables.requiredByUs.map(r, has(r.clusters) ? ' +
        "r.clusters.map(k, k.name + ' ' + (has(k.replicas) ? string(k.replicas) : '')) : [])",
    },
    {
      name: 'isKept',
      expression:
        'variables.keptBefore.size() == (variables.toKeep.size() == 0 ? 0 : 1) && ' +
        'variables.keptBefore.all(texts, texts.size() == variables.toKeep.size() && ' +
        `variables.toKeep.all(c, (c + ' ' + string(${keeps('c')})) in texts))`,
    },
    {
      name: 'suspendedNext',
      expression:
        'variables.suspended.filter(c, c in variables.toSuspend || !(c in variables.suspendedByUs)) + ' +
        'variables.toSuspend.filter(c, !(c in variables.suspended))',
    },
  ];
}

/** An entry as it is to stand: size and time are the system's, its patience is whoever writes it's. */
function entryOf(cluster: string): string {
  return `'{"replicas":' + string(${sizeKept(cluster)}) + ${patienceIn(written(cluster))} + ${createdIn(before(cluster))} + '}'`;
}

function patches(dialect: PatchDialect): string {
  return [...queueSteps(dialect), ...requirementSteps(dialect), suspensionSteps(dialect)].join(' + ');
}

function queueSteps({ add, remove }: PatchDialect): readonly string[] {
  const fresh = `'{"replicas":' + string(o.replicas) + ${patienceOfNotes('variables.notes')} + '}'`;
  const isSame = `(${IN_QUEUE} + c in variables.oldNotes && ${written('c')} == ${before('c')})`;
  const isOdd = `!${isSame} && ${written('c')} != ${entryOf('c')}`;
  const [scheduled, releasedFor] = ['object.status.lastScheduledTime', literal(RELEASED_FOR)];
  const isNoted = `${releasedFor} in variables.notes && variables.notes[${releasedFor}] == string(${scheduled})`;
  return [
    `(variables.added.size() > 0 && !has(object.metadata.annotations) ? [${add(`'/metadata/annotations'`, '{}')}] : [])`,
    `variables.added.map(o, ${add(entryPath('o.name'), fresh)})`,
    `variables.queued.filter(c, !(c in variables.kept)).map(c, ${remove(entryPath('c'))})`,
    `(variables.ours ? [] : variables.kept.filter(c, ${isOdd}).map(c, ${add(entryPath('c'), entryOf('c'))}))`,
    `(variables.released.size() > 0 && has(object.status) && has(${scheduled}) && has(object.metadata.annotations) && !(${isNoted}) ` +
      `? [${add(literal(annotationPath(RELEASED_FOR)), `string(${scheduled})`)}] : [])`,
  ];
}

/** Karmada's Works are for what is assigned and for what others require: as many replicas as stand there. */
function requirementSteps({ add, remove }: PatchDialect): readonly string[] {
  const line = `{"namespace": dyn(${literal(REQUIRED_BY.namespace)}), "name": dyn(${literal(REQUIRED_BY.name)}), "clusters": dyn(variables.toKeep.map(c, ${targetCluster}))}`;
  return [
    `(variables.isKept ? [] : variables.toKeep.size() + variables.requiredByOthers.size() == 0 ? [${remove(`'/spec/requiredBy'`)}] : ` +
      `[${add(`'/spec/requiredBy'`, 'variables.requiredByOthers')}] + ` +
      `(variables.toKeep.size() == 0 ? [] : [${add(`'/spec/requiredBy/-'`, line)}]))`,
  ];
}

function suspensionSteps({ add, remove }: PatchDialect): string {
  const suspension = 'object.spec.suspension';
  const onClusters = `${suspension}.dispatchingOnClusters`;
  return (
    `(variables.suspendedNext == variables.suspended ? [] : variables.suspendedNext.size() == 0 ` +
    `? [${remove(`'/spec/suspension/dispatchingOnClusters'`)}] : ` +
    `(has(${suspension}) ? [] : [${add(`'/spec/suspension'`, '{}')}]) + ` +
    `(has(${suspension}) && has(${onClusters}) ? [] : [${add(`'/spec/suspension/dispatchingOnClusters'`, '{}')}]) + ` +
    `[${add(`'/spec/suspension/dispatchingOnClusters/clusterNames'`, 'variables.suspendedNext')}])`
  );
}

/** `account` is the user name by which the hub knows us: it alone notes when a hold began. */
export function holdRules(account: string): MutationRules {
  return {
    name: 'replica-reductions',
    group: 'work.karmada.io',
    version: 'v1alpha2',
    resources: ['resourcebindings', 'clusterresourcebindings'],
    operations: ['UPDATE'],
    when: {
      name: 'shrinks-or-is-held',
      expression: `(${asks('object')} && ${shrinks}) || ${hasQueue('object')} || ${hasQueue('oldObject')} || ${hasLine}`,
    },
    variables: variables(account),
    patches,
  };
}
