/** Whether a binding is to be scheduled now, and what is written of it: in karmada-scheduler's shapes. */
import { describe, expect, it } from 'vitest';
import { capacityOf } from '../../../../shared/karmada/assignment/available-replicas.ts';
import type { Cluster } from '../../../../shared/karmada/assignment/cluster.ts';
import type { Scheduling } from '../../../../shared/karmada/assignment/plan-scheduling.ts';
import {
  assignedBy,
  conditionOf,
  decideScheduling,
  isOurs,
  isScheduledBy,
  observedStatus,
  schedulingText,
  specPatch,
  statusPatch,
} from '../../../../shared/karmada/assignment/scheduling-decision.ts';
import { APPLIED_PLACEMENT } from '../../../../shared/karmada/placed-binding.ts';
import { at } from '../../../builders.ts';
import {
  type BindingParts,
  cluster,
  clusters,
  DUPLICATED,
  DYNAMIC,
  placedBinding,
  replicasOf,
} from '../../../placed-objects.ts';

const dynamic = { replicaScheduling: DYNAMIC };
const three = clusters({ m1: 20, m2: 20, m3: 20 });
const [five, six, seven] = ['2026-11-21T10:00:05Z', '2026-11-21T10:00:06Z', '2026-11-21T10:00:07Z'];

const acted = { annotations: { 'evenkeel.dev/acted-on-trigger': six } };

/** Ten replicas, assigned and noted as such. */
const settled: BindingParts = { current: { m1: 4, m2: 3, m3: 3 }, scheduled: { placement: dynamic, at: five } };
const unschedulable = {
  conditions: [{ type: 'Scheduled', status: 'False', reason: 'Unschedulable', message: 'x', lastTransitionTime: five }],
};

function decide(parts: BindingParts, among: readonly Cluster[] = three) {
  const binding = placedBinding(parts);
  return decideScheduling({ binding, clusters: among, available: capacityOf(binding) });
}

describe('a binding is scheduled', () => {
  it.each<[string, BindingParts]>([
    ['it was never scheduled', {}],
    ['it was never scheduled', { ...settled, status: { lastScheduledTime: null } }],
    ['it was never scheduled', { current: { m1: 10 }, status: { lastScheduledTime: five } }],
    [
      'it was never scheduled',
      { ...settled, status: { lastScheduledTime: null }, spec: { rescheduleTriggeredAt: six } },
    ],
    ['its placement has changed', { ...settled, placement: { ...dynamic, clusterAffinity: { clusterNames: ['m1'] } } }],
    ['what is assigned is not what it asks for', { ...settled, replicas: 12 }],
    ['what is assigned is not what it asks for', { ...settled, current: { m1: 4, m2: 3 } }],
    ['a rescheduling was asked for', { ...settled, spec: { rescheduleTriggeredAt: six } }],
  ])('because %s', (reason, parts) => {
    expect(decide(parts)).toMatchObject({ action: 'Write', reason });
  });

  it('because a cluster that it is in is being deleted', () => {
    const among = [cluster('m1', { deleting: true }), ...clusters({ m2: 20, m3: 20 })];
    expect(decide(settled, among)).toMatchObject({ action: 'Write', reason: 'cluster m1 is being deleted' });
  });

  it('not because a cluster is being deleted that it is not in, nor because one that it is in is not listed', () => {
    const among = [cluster('m4', { deleting: true }), ...three];
    expect(decide(settled, among)).toMatchObject({ action: 'Leave' });
    expect(decide(settled, clusters({ m1: 20, m2: 20 }))).toMatchObject({ action: 'Leave' });
  });

  it('not because its placement states defaults that karmada-scheduler records without them', () => {
    const placement = { ...dynamic, clusterAffinity: { clusterNames: [], exclude: null }, spreadConstraints: [] };
    expect(decide({ ...settled, placement })).toMatchObject({ action: 'Leave' });
  });

  it('because the note of its placement is no placement at all', () => {
    for (const note of ['null', '7', '"x"', 'nonsense {'])
      expect(decide({ ...settled, metadata: { annotations: { [APPLIED_PLACEMENT]: note } } })).toMatchObject({
        action: 'Write',
        reason: 'its placement has changed',
      });
  });

  it('not while the current assignment is still valid, although another cluster has more capacity', () => {
    expect(decide(settled, clusters({ m1: 20, m2: 20, m3: 2000 }))).toEqual({
      action: 'Leave',
      reason: 'the assignment still holds',
    });
  });

  it('not for a new generation alone: that is only noted', () => {
    expect(decide({ ...settled, metadata: { generation: 2 } })).toMatchObject({ action: 'Observe' });
  });

  it('not where it holds again what it asks for: that it does is noted, which upstream leaves out', () => {
    const back: BindingParts = { ...settled, status: unschedulable };
    expect(decide(back)).toMatchObject({ action: 'Observe' });
    expect(observedStatus(placedBinding(back), at(7))).toStrictEqual({
      schedulerObservedGeneration: 1,
      conditions: [
        {
          type: 'Scheduled',
          status: 'True',
          reason: 'Success',
          message: 'Binding has been scheduled successfully.',
          lastTransitionTime: seven,
        },
      ],
    });
  });

  it('not for a trigger that is handled according to its status, although its annotation is still there', () => {
    const parts: BindingParts = {
      ...settled,
      spec: { rescheduleTriggeredAt: six },
      status: { lastScheduledTime: six },
      metadata: { annotations: { ...acted.annotations, [APPLIED_PLACEMENT]: JSON.stringify(dynamic) } },
    };
    expect(decide(parts)).toMatchObject({ action: 'Leave' });
    expect(observedStatus(placedBinding(parts), at(7))).not.toHaveProperty('lastScheduledTime');
  });

  it('not for a trigger of the second in which it was scheduled', () => {
    expect(decide({ ...settled, spec: { rescheduleTriggeredAt: five } })).toMatchObject({ action: 'Leave' });
  });
});

describe('a valid assignment is recorded', () => {
  const note = (parts: BindingParts) => decide({ ...settled, ...parts });

  it.each<[string, BindingParts, string]>([
    [
      'because its generation is new',
      { metadata: { generation: 2 } },
      'the assignment still holds; the generation is new',
    ],
    [
      'because its status differs',
      { status: unschedulable },
      'the assignment still holds, and the status does not show it',
    ],
    [
      'because only another condition is True',
      { status: { conditions: [{ type: 'FullyApplied', status: 'True' }] } },
      'the assignment still holds, and the status does not show it',
    ],
    [
      'because the trigger was handled, which its status does not record',
      { spec: { rescheduleTriggeredAt: six }, metadata: acted },
      'the assignment still holds, and the status does not show it',
    ],
  ])('%s', (_, parts, reason) => {
    const annotations = {
      [APPLIED_PLACEMENT]: JSON.stringify(dynamic),
      ...(parts.metadata as typeof acted)?.annotations,
    };
    expect(note({ ...parts, metadata: { ...parts.metadata, annotations } })).toEqual({ action: 'Observe', reason });
  });

  it('if one of its conditions differs, regardless of the others', () => {
    const conditions = [
      { type: 'FullyApplied', status: 'False' },
      { type: 'Scheduled', status: 'True' },
    ];
    expect(note({ status: { conditions } })).toMatchObject({ action: 'Leave' });
  });

  it('with the time of a trigger that was acted on, and the term that was used', () => {
    const parts: BindingParts = {
      ...settled,
      spec: { rescheduleTriggeredAt: '2026-11-21T10:00:09Z' },
      metadata: { annotations: { 'evenkeel.dev/acted-on-trigger': '2026-11-21T10:00:09Z far' } },
    };
    expect(observedStatus(placedBinding(parts), at(7))).toMatchObject({
      lastScheduledTime: '2026-11-21T10:00:09Z',
      schedulerObservingAffinityName: 'far',
    });
    expect(observedStatus(placedBinding(settled), at(7))).not.toHaveProperty('lastScheduledTime');
  });
});

describe('an edit of clusterAffinities', () => {
  const terms = (...list: [string, string][]) => ({
    ...dynamic,
    clusterAffinities: list.map(([affinityName, name]) => ({ affinityName, clusterNames: [name] })),
  });
  const before = terms(['near', 'm1'], ['far', 'm2']);
  const inUse = (placement: object): BindingParts => ({
    current: { m1: 10 },
    scheduled: { placement: before, at: five },
    status: { schedulerObservingAffinityName: 'near' },
    placement,
  });

  it('moves nothing where it concerns another term than the one in use', () => {
    expect(decide(inUse(terms(['near', 'm1'], ['far', 'm3'])))).toMatchObject({ action: 'Leave' });
    expect(decide(inUse(terms(['near', 'm1'])))).toMatchObject({ action: 'Leave' });
  });

  it('moves nothing where the term in use is not the first, and stays', () => {
    const far = { ...inUse(terms(['near', 'm3'], ['far', 'm2'])), current: { m2: 10 } };
    expect(decide({ ...far, status: { schedulerObservingAffinityName: 'far' } })).toMatchObject({ action: 'Leave' });
  });

  it('has the binding scheduled where the term in use is in neither', () => {
    const gone = { ...inUse(terms(['near', 'm3'])), status: { schedulerObservingAffinityName: 'gone' } };
    expect(decide(gone)).toMatchObject({ action: 'Write', reason: 'its placement has changed' });
  });

  it('has the binding scheduled where it concerns the term in use, or takes that away', () => {
    const reason = 'its placement has changed';
    expect(decide(inUse(terms(['near', 'm3'], ['far', 'm2'])))).toMatchObject({ action: 'Write', reason });
    expect(decide(inUse(terms(['far', 'm2'])))).toMatchObject({ action: 'Write', reason });
  });

  it('has it scheduled where anything else of the placement changed with it', () => {
    const changed = { ...terms(['near', 'm1'], ['far', 'm3']), clusterTolerations: [{ operator: 'Exists' }] };
    expect(decide(inUse(changed))).toMatchObject({ action: 'Write', reason: 'its placement has changed' });
  });
});

describe('a workload that goes to all clusters', () => {
  const everywhere = { replicaScheduling: DUPLICATED };
  const copies: BindingParts = {
    placement: everywhere,
    current: { m1: 10, m2: 10 },
    scheduled: { placement: everywhere, at: five },
  };

  it('follows the clusters that fit: one that joins gets its copy', () => {
    expect(decide(copies, three)).toMatchObject({
      action: 'Write',
      reason: 'other clusters fit than those that have it',
      scheduling: { clusters: replicasOf({ m1: 10, m2: 10, m3: 10 }) },
    });
  });

  it('is scheduled where one of them has another number than all', () => {
    expect(decide({ ...copies, current: { m1: 10, m2: 7 } }, clusters({ m1: 9, m2: 9 }))).toMatchObject({
      action: 'Write',
      reason: 'what is assigned is not what it asks for',
    });
  });

  it('is scheduled where no cluster fits any more', () => {
    const message = '0/0 clusters are available: no cluster exists.';
    expect(decide(copies, [])).toMatchObject({ action: 'Write', scheduling: { outcome: 'NoClusterFit', message } });
  });

  it('needs no capacity check if only a limited number of clusters may have it', () => {
    const placement = {
      ...everywhere,
      spreadConstraints: [{ spreadByField: 'cluster', minGroups: 1, maxGroups: 2 }],
    };
    expect(decide({ placement }, clusters({ m1: 1, m2: 1, m3: 1 }))).toMatchObject({
      scheduling: { outcome: 'Success', clusters: replicasOf({ m1: 10, m2: 10 }) },
    });
    expect(decide({ placement: { ...placement, ...dynamic } }, clusters({ m1: 1, m2: 1, m3: 1 }))).toMatchObject({
      scheduling: { outcome: 'SchedulerError', message: 'no enough resource when selecting 2 clusters' },
    });
  });

  it('is one without a division, whose numbers change only with the clusters', () => {
    const undivided: BindingParts = { ...copies, placement: {}, scheduled: { placement: {}, at: five } };
    expect(decide({ ...undivided, current: { m1: 10, m2: 7 } }, clusters({ m1: 9, m2: 9 }))).toMatchObject({
      action: 'Write',
      reason: 'other clusters fit than those that have it',
    });
  });

  it('is what has no replicas: left alone where it is wherever it fits', () => {
    const bare: BindingParts = { ...settled, replicas: 0, current: { m1: 0, m2: 0, m3: 0 } };
    expect(decide(bare)).toMatchObject({ action: 'Leave' });
  });

  it('is left alone where those that fit have it, whatever order they are listed in', () => {
    expect(decide({ ...copies, current: { m2: 10, m1: 10 } }, clusters({ m1: 9, m2: 9 }))).toMatchObject({
      action: 'Leave',
    });
    expect(decide(copies, clusters({ m2: 9, m1: 9 }))).toMatchObject({ action: 'Leave' });
  });
});

describe('a scheduler acts on', () => {
  it.each<[string, BindingParts, boolean]>([
    ['a binding that names it', { spec: { schedulerName: 'evenkeel' } }, true],
    ['no binding that names another', { spec: { schedulerName: 'other' } }, false],
    ["no binding that names none, which is karmada-scheduler's", {}, false],
    [
      'no binding whose scheduling is suspended',
      { spec: { schedulerName: 'evenkeel', suspension: { scheduling: true } } },
      false,
    ],
    [
      'no binding that is being deleted',
      { spec: { schedulerName: 'evenkeel' }, metadata: { deletionTimestamp: five } },
      false,
    ],
    ['no binding without a placement', { spec: { schedulerName: 'evenkeel' }, placement: null }, false],
  ])('%s', (_, parts, acts) => {
    expect(isScheduledBy(placedBinding(parts), 'evenkeel')).toBe(acts);
  });

  it('a binding that names evenkeel, and no other, where it is ours', () => {
    const named = (schedulerName: string) => isOurs(placedBinding({ spec: { schedulerName } }));
    expect([named('evenkeel'), named('default-scheduler'), named('')]).toEqual([true, false, false]);
  });

  it('every binding that names none, where it is karmada-scheduler itself', () => {
    expect(isScheduledBy(placedBinding(), 'default-scheduler')).toBe(true);
  });
});

describe('the written result', () => {
  const unfit = new Map<string, string>();
  const success: Scheduling = {
    outcome: 'Success',
    clusters: replicasOf({ m1: 6, m2: 4 }),
    reason: '',
    unfit,
  };
  const failed = (outcome: 'Unschedulable' | 'NoClusterFit' | 'SchedulerError'): Scheduling => ({
    ...{ outcome, message: 'why not', reason: 'why not', unfit },
  });
  const when = { generation: 2, now: at(7) };
  const condition = (status: string, reason: string, message: string, since: string) => ({
    ...{ type: 'Scheduled', status, reason, message, lastTransitionTime: since },
  });
  const done = condition('True', 'Success', 'Binding has been scheduled successfully.', seven);

  it('of a success: clusters, the placement it was by, the condition, the generation and the time', () => {
    const binding = placedBinding();
    expect(specPatch(binding, success)).toEqual({
      metadata: { annotations: { 'policy.karmada.io/applied-placement': JSON.stringify(dynamic) } },
      spec: { clusters: replicasOf({ m1: 6, m2: 4 }) },
    });
    expect(statusPatch(binding, success, when)).toStrictEqual({
      conditions: [done],
      schedulerObservedGeneration: 2,
      lastScheduledTime: seven,
    });
  });

  it('keeps fields of the placement that assignment does not read', () => {
    const placement = { ...dynamic, failoverHint: { of: 'a later version' } };
    expect(specPatch(placedBinding({ placement }), success)).toMatchObject({
      metadata: { annotations: { 'policy.karmada.io/applied-placement': JSON.stringify(placement) } },
    });
  });

  it('names the affinity that was used', () => {
    const named = { ...success, affinityName: 'far' };
    expect(statusPatch(placedBinding(), named, when)).toMatchObject({ schedulerObservingAffinityName: 'far' });
  });

  it('has no replicas for what has none', () => {
    const everywhere: Scheduling = { ...success, clusters: replicasOf({ m1: 0, m2: 0 }) };
    expect(specPatch(placedBinding({ replicas: 0 }), everywhere)).toMatchObject({
      spec: { clusters: [{ name: 'm1' }, { name: 'm2' }] },
    });
  });

  it('removes the assignment on NoClusterFit, and never records it as scheduled', () => {
    const binding = placedBinding(settled);
    expect(specPatch(binding, failed('NoClusterFit'))).toMatchObject({ spec: { clusters: [] } });
    expect(statusPatch(binding, failed('NoClusterFit'), when)).toEqual({
      conditions: [condition('False', 'NoClusterFit', 'why not', seven)],
    });
  });

  it.each(['Unschedulable', 'SchedulerError'] as const)('of %s leaves the assignment as it is', (outcome) => {
    const binding = placedBinding(settled);
    expect(specPatch(binding, failed(outcome))).toBe(undefined);
    expect(statusPatch(binding, failed(outcome), when)).toEqual({
      conditions: [condition('False', outcome, 'why not', seven)],
    });
  });

  it('is summarized for users in one line', () => {
    const none: Scheduling = { ...success, clusters: [] };
    expect([success, none, failed('Unschedulable')].map(schedulingText)).toEqual([
      'm1: 6, m2: 4',
      'no cluster',
      'Unschedulable: why not',
    ]);
  });

  it('states where replicas go: nowhere on NoClusterFit, and as before on any other failure', () => {
    const all = [success, failed('NoClusterFit'), failed('Unschedulable'), failed('SchedulerError')];
    expect(all.map(assignedBy)).toEqual([replicasOf({ m1: 6, m2: 4 }), [], undefined, undefined]);
  });

  it('has the condition in the words of karmada-scheduler', () => {
    expect([success, failed('SchedulerError')].map(conditionOf)).toEqual([
      {
        type: 'Scheduled',
        status: 'True',
        reason: 'Success',
        message: 'Binding has been scheduled successfully.',
      },
      { type: 'Scheduled', status: 'False', reason: 'SchedulerError', message: 'why not' },
    ]);
  });

  it('reports a field that it does not implement as SchedulerError, and leaves the assignment as it is', () => {
    const message = 'spec.placement.workloadAffinity: Forbidden: not supported';
    const unknown: Scheduling = {
      outcome: 'CannotForecast',
      field: 'spec.placement.workloadAffinity',
      message,
      reason: message,
      unfit: new Map(),
    };
    expect(conditionOf(unknown)).toEqual({ type: 'Scheduled', status: 'False', reason: 'SchedulerError', message });
    expect(assignedBy(unknown)).toBeUndefined();
  });

  it('keeps what else is noted on the binding by the scheduler', () => {
    expect(specPatch(placedBinding(), success, { seen: 'yes' })).toMatchObject({
      metadata: { annotations: { seen: 'yes', 'policy.karmada.io/applied-placement': JSON.stringify(dynamic) } },
    });
  });

  it('is empty if the status already has it', () => {
    const conditions = [condition('False', 'Unschedulable', 'why not', six)];
    expect(statusPatch(placedBinding({ status: { conditions } }), failed('Unschedulable'), when)).toBe(undefined);
  });

  it('keeps the time of the last turn where only the reason is another, and conditions of others', () => {
    const applied = { type: 'FullyApplied', status: 'True', reason: 'x', message: '', lastTransitionTime: five };
    const conditions = [condition('False', 'NoClusterFit', 'before', six), applied];
    expect(statusPatch(placedBinding({ status: { conditions } }), failed('Unschedulable'), when)).toEqual({
      conditions: [condition('False', 'Unschedulable', 'why not', six), applied],
    });
  });

  it('notes a trigger that is ahead of our clock as acted on, so that it is acted on once', () => {
    const ahead = placedBinding({ ...settled, spec: { rescheduleTriggeredAt: '2026-11-21T10:00:09Z' } });
    expect(statusPatch(ahead, success, when)).toMatchObject({ lastScheduledTime: '2026-11-21T10:00:09Z' });
  });
});
