/**
 * Holds a cluster's replicas in the same write that removes them, until the reduction is released. Single source
 * of the admission policy in the API server and of the webhook.
 *
 * The queue (one annotation per cluster) lists the held clusters. Every write derives Karmada's own fields from it: for a cluster that
 * is no longer assigned, an entry in spec.requiredBy, so that Karmada keeps its Work at that size; for a cluster that is assigned
 * fewer replicas, suspended dispatching. So adding a queue entry creates a hold, removing the entry releases it,
 * and clients that do not know the queue preserve it.
 *
 * Only a move is held: a write in which one cluster loses replicas and another gains some. A scale-down, or the removal of a
 * cluster without a new assignment elsewhere, has no replacement to wait for.
 *
 * CEL cannot read the current time, but an API server timestamps the fields that a write changes before it evaluates its admission policies. The newest time in
 * metadata.managedFields is therefore never later than now, and in a write that changes spec.clusters it is now. It sets the
 * creationTimestamp of an entry. Any write releases an entry whose grace period is over, so a hold outlives its grace period
 * only on a binding that is never written.
 *
 * An API server limits the cost of an expression. Looking up each cluster in a list of names costs one step per name; a macro
 * that visits each cluster for each of 500 would cost ten times as much.
 */

import type { MutationRules, PatchDialect } from '../admission/admission-rules.ts';
import {
  createdIn,
  creation,
  gracePeriodIn,
  gracePeriodOfNotes,
  hasGraceOver,
  literal,
  matchesCreation,
  notesOf,
  sizeIn,
} from './queue-entry.ts';
import { DELAY_WORK_DELETION, QUEUE, REDUCTION_STRATEGY, RELEASED_FOR, REQUIRED_BY } from './replica-reduction.ts';

const IN_QUEUE = literal(QUEUE);

/** Path of an annotation as a JSON pointer. A cluster's name contains neither of the characters that a JSON pointer escapes. */
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

/** An entry of ours in spec.requiredBy that no queue entry needs. */
const hasLine = `(has(${requiredField}) && ${requiredField}.exists(r, ${isOurs}))`;

/** Reads the field if the hub's CRD has it. A workload that is scaled to 0 or being deleted is not held. */
function asks(object: string): string {
  const notes = notesOf(object);
  const field = `${object}.spec.replicaReductionStrategy`;
  const annotation = literal(REDUCTION_STRATEGY);
  const strategy = `(has(${field}) ? ${field} : ${annotation} in ${notes} ? ${notes}[${annotation}] : '')`;
  const stays = `!has(${object}.metadata.deletionTimestamp) && has(${object}.spec.replicas) && ${object}.spec.replicas > 0`;
  return `${strategy} == ${literal(DELAY_WORK_DELETION)} && ${stays}`;
}

/** Clusters as an expression, and their names as another: a macro that visits each cluster for each would cost ten times as much. */
interface ClusterList {
  readonly clusters: string;
  readonly names: string;
}

/** Whether the cluster `name` has at least `replicas`. `i` is its index, or -1. */
function hasAtLeast({ clusters, names }: ClusterList, name: string, replicas: string): string {
  const has = `[${clusters}[i]].exists(n, has(n.replicas) && n.replicas >= ${replicas})`;
  return `[${names}.indexOf(${name})].exists(i, i >= 0 && ${has})`;
}

/** Whether a cluster with replicas, named by the variable `c`, has more than in this list. */
function hasMoreThanIn(list: ClusterList, c: string): string {
  return `has(${c}.replicas) && ${c}.replicas > 0 && !${hasAtLeast(list, `${c}.name`, `${c}.replicas`)}`;
}

/** A one-element list binds its element to a name. */
function moves(clusters: string, before: string): string {
  return (
    `${clusters} != ${before} && ` +
    `[${clusters}.map(n, n.name)].exists(names, ${before}.exists(o, ${hasMoreThanIn({ clusters, names: 'names' }, 'o')})) && ` +
    `[${before}.map(n, n.name)].exists(names, ${clusters}.exists(o, ${hasMoreThanIn({ clusters: before, names: 'names' }, 'o')}))`
  );
}

function wantedIn(object: string): string {
  return `(has(${object}.spec.replicas) ? ${object}.spec.replicas : 0)`;
}

/** If dispatching to all clusters is suspended, no replacement can become ready, so the grace period does not run. */
function isSuspended(object: string): string {
  const field = `${object}.spec.suspension`;
  return `(has(${field}) && has(${field}.dispatching) && ${field}.dispatching == true)`;
}

/** An entry before this write; empty if there was none. */
const before = (cluster: string) =>
  `(${IN_QUEUE} + ${cluster} in variables.oldNotes ? variables.oldNotes[${IN_QUEUE} + ${cluster}] : '')`;
const written = (cluster: string) => `variables.notes[${IN_QUEUE} + ${cluster}]`;

const sizeBefore = (cluster: string) => `variables.oldSizes[variables.oldNames.indexOf(${cluster})]`;

/** No cluster keeps more replicas than the workload's total: a workload that is scaled down during a move also shrinks where it is held. */
const atMostWanted = (size: string) => `[${size}].map(n, n > variables.wanted ? variables.wanted : n)[0]`;

/** Replicas that a cluster keeps. Other clients can't set this: an existing entry keeps its size, and a new entry keeps what is assigned there, or 0. */
const sizeKept = (cluster: string) =>
  atMostWanted(
    `(variables.ours ? ${sizeIn(written(cluster))} : ${IN_QUEUE} + ${cluster} in variables.oldNotes ? ${sizeIn(before(cluster))} : ` +
      `${cluster} in variables.oldNames ? ${sizeBefore(cluster)} : 0)`,
  );

/** Replicas that a cluster keeps that is no longer assigned. */
const keeps = (cluster: string) =>
  `(${cluster} in variables.queued ? ${sizeKept(cluster)} : ${atMostWanted(sizeBefore(cluster))})`;

/** The entry that supplies the time of a hold. */
const known = (cluster: string) => `(variables.ours ? ${written(cluster)} : ${before(cluster)})`;

const isPastGrace = (cluster: string) =>
  hasGraceOver({ timeout: written(cluster), created: known(cluster) }, 'variables.hubTime');
const targetCluster = `{"name": dyn(c), "replicas": dyn(${keeps('c')})}`;

function queued(notes: string, condition: string): string {
  return `${notes}.filter(k, k.startsWith(${IN_QUEUE}) && ${condition}).map(k, k.substring(${QUEUE.length}))`;
}

const ASSIGNED: ClusterList = { clusters: 'variables.clusters', names: 'variables.names' };
const ASSIGNED_BEFORE: ClusterList = { clusters: 'variables.oldClusters', names: 'variables.oldNames' };

/** Whether a cluster in the queue is still to be held. */
function stillHeld(cluster: string, size: string): string {
  return `${size} > 0 && !(${cluster} in variables.evicted) && !${hasAtLeast(ASSIGNED, cluster, size)}`;
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
    { name: 'grows', expression: `variables.clusters.exists(o, ${hasMoreThanIn(ASSIGNED_BEFORE, 'o')})` },
    { name: 'requiredBy', expression: `has(${requiredField}) ? ${requiredField} : []` },
    { name: 'suspended', expression: suspendedIn('object') },
    { name: 'oldSuspended', expression: suspendedIn('oldObject') },
    { name: 'asks', expression: asks('object') },
    { name: 'wanted', expression: wantedIn('object') },
    {
      name: 'hubTimes',
      expression:
        '(has(object.metadata.managedFields) ? object.metadata.managedFields : []).filter(m, has(m.time)).map(m, string(m.time))',
    },
    // All in UTC with the same precision, so they sort as strings.
    { name: 'hubTime', expression: "variables.hubTimes.size() > 0 ? variables.hubTimes.max() : ''" },
    { name: 'suspendedAsAWhole', expression: `${isSuspended('object')} || ${isSuspended('oldObject')}` },
    // Cases in which an entry changes that its client did not change. Recomputing every entry costs too much otherwise.
    {
      name: 'recomposes',
      expression: `variables.suspendedAsAWhole || ${wantedIn('object')} < ${wantedIn('oldObject')}`,
    },
    { name: 'expires', expression: "variables.asks && variables.hubTime != '' && !variables.suspendedAsAWhole" },
    { name: 'queued', expression: queued('variables.notes', 'true') },
    { name: 'queuedBefore', expression: queued('variables.oldNotes', 'true') },
    // Karmada's failover or a user evicts the workload there.
    { name: 'evicted', expression: `has(${tasksField}) ? ${tasksField}.map(t, t.fromCluster) : []` },
    {
      // Removed from the queue by a user; we record the release. An entry that would not be held anyway is dropped, not released.
      name: 'released',
      expression:
        `variables.asks && !variables.ours ? ${queued('variables.oldNotes', '!(k in variables.notes)')}` +
        `.filter(c, ${stillHeld('c', atMostWanted(sizeIn(before('c'))))}) : []`,
    },
    { name: 'pastGrace', expression: `variables.expires ? variables.queued.filter(c, ${isPastGrace('c')}) : []` },
    { name: 'overdue', expression: `variables.pastGrace.filter(c, ${stillHeld('c', sizeKept('c'))})` },
    {
      name: 'kept',
      expression: `variables.asks ? variables.queued.filter(c, !(c in variables.pastGrace) && ${stillHeld('c', sizeKept('c'))}) : []`,
    },
    {
      // Excludes assigned clusters whose dispatching another client suspended: that client controls their replicas.
      name: 'added',
      expression:
        `variables.asks && variables.grows ? variables.oldClusters.filter(o, ${hasMoreThanIn(ASSIGNED, 'o')} && ` +
        '!(o.name in variables.queued) && !(o.name in variables.queuedBefore) && !(o.name in variables.evicted) && ' +
        '!(o.name in variables.oldSuspended && o.name in variables.names)) : []',
    },
    { name: 'held', expression: 'variables.kept + variables.added.map(o, o.name)' },
    { name: 'toKeep', expression: 'variables.held.filter(c, !(c in variables.names))' },
    { name: 'toSuspend', expression: 'variables.held.filter(c, c in variables.names)' },
    // Clusters that were assigned were held by suspended dispatching.
    { name: 'suspendedByUs', expression: 'variables.queuedBefore.filter(c, c in variables.oldNames)' },
    { name: 'requiredByOthers', expression: `variables.requiredBy.filter(r, !(${isOurs}))` },
    { name: 'requiredByUs', expression: `variables.requiredBy.filter(r, ${isOurs})` },
    {
      // Compared as strings: evaluators disagree on whether a map literal equals a map of the object. The order of a map is undefined.
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

const NOW = `(variables.hubTime == '' ? '' : ${creation('variables.hubTime')})`;

/** The desired entry: the system sets size and time, the client sets the grace period. While all dispatching is suspended, the grace period restarts. */
function entryOf(cluster: string): string {
  const entry = known(cluster);
  const created = `(${createdIn(entry)} == '' || (variables.suspendedAsAWhole && !variables.ours) ? ${NOW} : ${createdIn(entry)})`;
  return `'{"replicas":' + string(${sizeKept(cluster)}) + ${gracePeriodIn(written(cluster))} + ${created} + '}'`;
}

function patches(dialect: PatchDialect): string {
  return [...queueSteps(dialect), ...requirementSteps(dialect), suspensionSteps(dialect)].join(' + ');
}

function queueSteps({ add, remove }: PatchDialect): readonly string[] {
  const fresh = `'{"replicas":' + string(${atMostWanted('o.replicas')}) + ${gracePeriodOfNotes('variables.notes')} + ${NOW} + '}'`;
  const isAsBefore = `${IN_QUEUE} + c in variables.oldNotes && ${written('c')} == ${before('c')} && ${matchesCreation(written('c'))}`;
  const isOdd = `(variables.recomposes || !(${isAsBefore})) && ${written('c')} != ${entryOf('c')}`;
  const [scheduled, releasedFor] = ['object.status.lastScheduledTime', literal(RELEASED_FOR)];
  const isNoted = `${releasedFor} in variables.notes && variables.notes[${releasedFor}] == string(${scheduled})`;
  return [
    `(variables.added.size() > 0 && !has(object.metadata.annotations) ? [${add(`'/metadata/annotations'`, '{}')}] : [])`,
    `variables.added.map(o, ${add(entryPath('o.name'), fresh)})`,
    `variables.queued.filter(c, !(c in variables.kept)).map(c, ${remove(entryPath('c'))})`,
    `variables.kept.filter(c, ${isOdd}).map(c, ${add(entryPath('c'), entryOf('c'))})`,
    `(variables.released.size() + variables.overdue.size() > 0 && has(object.status) && has(${scheduled}) && has(object.metadata.annotations) && !(${isNoted}) ` +
      `? [${add(literal(annotationPath(RELEASED_FOR)), `string(${scheduled})`)}] : [])`,
  ];
}

/** Karmada creates Works for assigned clusters and for those in spec.requiredBy, with the replicas given there. */
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

/** `account` is our user name on the hub. Only that account may change when a hold began. */
export function holdRules(account: string): MutationRules {
  return {
    name: 'replica-reductions',
    group: 'work.karmada.io',
    version: 'v1alpha2',
    resources: ['resourcebindings', 'clusterresourcebindings'],
    operations: ['UPDATE'],
    when: {
      name: 'moves-or-is-held',
      expression: `(${asks('object')} && ${moves(clustersOf('object'), clustersOf('oldObject'))}) || ${hasQueue('object')} || ${hasQueue('oldObject')} || ${hasLine}`,
    },
    variables: variables(account),
    patches,
  };
}
