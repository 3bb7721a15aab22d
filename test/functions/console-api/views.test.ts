/** Each view from its input to its whole answer: times as text, what is unknown left out. */
import { describe, expect, it } from 'vitest';
import { deadLetterView } from '../../../functions/console-api/dead-letter-view.ts';
import { fleetAnswer } from '../../../functions/console-api/fleet-view.ts';
import { healthQuery, hubNotes, hubView, unreadNotes } from '../../../functions/console-api/health-view.ts';
import { heldAnswer } from '../../../functions/console-api/held-view.ts';
import { taskAnswer, taskSummary } from '../../../functions/console-api/task-view.ts';
import { linesAbout, traceAnswer } from '../../../functions/console-api/trace-view.ts';
import { workloadAnswer } from '../../../functions/console-api/workload-view.ts';
import type { DeschedulingDecision } from '../../../shared/descheduling/descheduling.ts';
import { type ElasticWorkload, FINALIZER } from '../../../shared/elastic-workload/elastic-workload.ts';
import type { ManagedCluster } from '../../../shared/elastic-workload/managed-cluster.ts';
import { QUEUE } from '../../../shared/graceful-reduction/replica-reduction.ts';
import { TRIGGERED_BY } from '../../../shared/karmada/binding.ts';
import type { Member } from '../../../shared/karmada/member-cluster.ts';
import type { RebalancePolicy } from '../../../shared/rebalance-policy/rebalance-policy.ts';
import { at, deployment, storedHub, task } from '../../builders.ts';
import { cluster, clusters, placedBinding } from '../../placed-objects.ts';

const TEN = '2026-11-21T10:00:00Z';
const held = (replicas: number, over: object = {}) => JSON.stringify({ replicas, creationTimestamp: TEN, ...over });
const metadata = (annotations: object) => ({ annotations });

/** 6 on m2, 3 more on m1 that wait, and m0 that keeps 2 of which none is assigned. */
const moving = placedBinding({
  current: { m2: 6, m1: 1 },
  replicas: 7,
  metadata: metadata({
    [`${QUEUE}m1`]: held(4),
    [`${QUEUE}m0`]: held(2, { suppressDeletion: true }),
    [TRIGGERED_BY]: 'demo/uid-1',
  }),
  spec: { rescheduleTriggeredAt: '2026-11-21T09:59:00Z' },
  status: {
    lastScheduledTime: '2026-11-21T09:58:00Z',
    aggregatedStatus: [{ clusterName: 'm2', status: { replicas: 6, readyReplicas: 5 } }],
  },
});

describe('what waits for Evenkeel', () => {
  it('is each reduction with its end, and each ElasticWorkload that has our finalizer', () => {
    const claim = (name: string, over: object) => {
      return {
        group: 'evenkeel.dev',
        key: { namespace: 'shop', name },
        uid: name,
        creationTimestamp: at(0),
        finalizers: [FINALIZER],
        ...over,
      } as never;
    };
    const claims = [claim('a', {}), claim('b', { deletionTimestamp: at(9) }), claim('c', { finalizers: ['other'] })];
    const key = { namespace: 'shop', binding: 'web-deployment' };
    expect(heldAnswer({ bindings: [moving], claims, graceSeconds: 60 })).toEqual({
      reductions: [
        { ...key, cluster: 'm0', replicas: 2, assigned: 0 },
        { ...key, cluster: 'm1', replicas: 4, assigned: 1, until: '2026-11-21T10:01:00Z' },
      ],
      elasticWorkloads: [
        { group: 'evenkeel.dev', namespace: 'shop', name: 'a' },
        { group: 'evenkeel.dev', namespace: 'shop', name: 'b', deleting: '2026-11-21T10:00:09Z' },
      ],
    });
  });
});

describe('a rebalance', () => {
  const summary = {
    name: 'demo',
    uid: 'uid-demo',
    generation: 1,
    state: 'Running',
    workloads: 3,
    successful: 0,
    failed: 0,
  };

  it('has an end once it is finished', () => {
    expect(taskSummary(task())).toEqual({ ...summary, updatedAt: TEN });
    expect(taskSummary(task({ finishTime: at(5) }))).toEqual({
      ...summary,
      updatedAt: TEN,
      finishedAt: '2026-11-21T10:00:05Z',
    });
  });

  it.each([
    ['neither a ttl nor an end', {}, {}],
    ['a ttl', { ttlSecondsAfterFinished: 60 }, { ttlSecondsAfterFinished: 60 }],
    ['an end', { finishTime: at(5) }, { finishedAt: '2026-11-21T10:00:05Z' }],
    [
      'both',
      { finishTime: at(5), ttlSecondsAfterFinished: 60 },
      { finishedAt: '2026-11-21T10:00:05Z', ttlSecondsAfterFinished: 60, deletedAt: '2026-11-21T10:01:05Z' },
    ],
    [
      'a check of its rescheduling',
      { rescheduling: { state: 'Waiting', confirmed: 1, gone: 2, waitingFor: ['x'], checkedAt: at(1) } as const },
      { rescheduling: { state: 'Waiting', confirmed: 1, gone: 2, waitingFor: ['x'] } },
    ],
    [
      'a check of an older version',
      { rescheduling: { state: 'Confirmed', confirmed: 1, waitingFor: [], checkedAt: at(1) } as const },
      { rescheduling: { state: 'Confirmed', confirmed: 1, waitingFor: [] } },
    ],
  ])('with %s is shown with that', (_, over, more) => {
    expect(taskAnswer(task(over), [], 0).task).toEqual({ ...summary, updatedAt: TEN, createdAt: TEN, ...more });
  });

  it('shows 500 of its workloads from an offset, each with its known state', () => {
    const known = {
      workload: deployment('a'),
      wantedSince: at(0),
      result: 'Failed',
      reason: 'ReferencedBindingNotFound',
      why: 'gone',
    } as const;
    const open = { workload: deployment('b'), wantedSince: at(1) };
    const all = [known, open, ...Array.from({ length: 600 }, () => open)];
    const { workloads } = taskAnswer(task(), all, 0);
    expect(workloads.slice(0, 2)).toEqual([
      { ...known, wantedSince: TEN },
      { workload: deployment('b'), wantedSince: '2026-11-21T10:00:01Z' },
    ]);
    expect([workloads.length, taskAnswer(task(), all, 500).workloads.length]).toEqual([500, 102]);
  });
});

describe('the log of a binding', () => {
  it('is asked for by its name, its key, and the rebalancer that triggered it last', () => {
    const own = [
      { hub: 'h', namespace: 'shop', name: 'web-deployment' },
      { hub: 'h', binding: 'shop/web-deployment' },
    ];
    expect(linesAbout('h', placedBinding())).toEqual(own);
    expect(linesAbout('h', moving)).toEqual([...own, { hub: 'h', name: 'demo' }]);
  });

  it.each([
    [
      { event: 'ResyncDue', reason: 'fine', eventId: 'e' },
      { who: 'ResyncDue', text: 'fine', id: 'e' },
    ],
    [
      { event: 'BindingChanged', name: 'web', reason: 'x', error: 'y' },
      { who: 'BindingChanged web', text: 'y' },
    ],
    [{}, { who: 'Evenkeel', text: '' }],
  ])('shows a line with %j', (fields, moment) => {
    const lines = [{ at: at(0), code: 'EK000', fields } as const];
    expect(traceAnswer(lines)).toEqual({ history: [{ at: TEN, what: 'seen', ...moment }] });
  });
});

describe('a dead letter', () => {
  const deadLetter = { queue: 'resync', id: 'm', reason: 'UnknownHub', error: 'no hub' };

  it.each([
    ['{"detail-type":"ResyncDue","detail":{"hub":"h"}}', { event: 'ResyncDue', detail: { hub: 'h' } }],
    ['{"detail-type":7,"detail":"x"}', {}],
    ['{"detail":null}', {}],
    ['{', {}],
  ])('with the body %s is shown with its event', (body, event) => {
    expect(deadLetterView({ ...deadLetter, body })).toEqual({ ...deadLetter, ...event });
    expect(deadLetterView({ ...deadLetter, body, sentAt: at(0) })).toEqual({ ...deadLetter, ...event, sentAt: TEN });
  });
});

describe('a fleet', () => {
  const member = (name: string, over: Partial<Member> = {}): Member => {
    return { cluster: cluster(name), uid: name, createdAt: at(0), ready: true, healthy: true, ...over };
  };
  const elastic = (name: string, over: object = {}) =>
    ({
      key: { namespace: 'shop', name },
      spec: { target: { type: 'Inline' }, distributionStrategy: { totalReplicas: 5 } },
      status: {},
      ...over,
    }) as unknown as ElasticWorkload;
  const taint = { key: 'gpu', effect: 'NoSchedule' };
  const pods = { allocatable: { pods: '110' }, allocated: { pods: '7' } };
  function drained(status: string, reason: string) {
    return { type: 'Drained', status, reason, message: 'about its workloads' };
  }

  it('has its clusters in order, of both kinds of hubs', () => {
    const odd = { ...cluster('m2'), taints: [taint], resourceSummary: undefined } as unknown as Member['cluster'];
    const full = { ...cluster('m1'), resourceSummary: pods } as unknown as Member['cluster'];
    const free = { ...cluster('m3'), resourceSummary: { allocatable: { pods: '9' } } } as unknown as Member['cluster'];
    const members = [
      member('m3', { cluster: free }),
      member('m2', { cluster: odd, healthy: false }),
      member('m1', { cluster: full, ready: false }),
    ];
    const managedClusters = [{ name: 'a', available: false }] as unknown as ManagedCluster[];
    expect(fleetAnswer({ members, bindings: [], managedClusters, elastic: [] }).clusters).toEqual([
      { name: 'a', healthy: false, ready: false, taints: [], drainable: false },
      {
        name: 'm1',
        healthy: true,
        ready: false,
        taints: [],
        drainable: false,
        pods: { allocatable: 110, allocated: 7 },
      },
      { name: 'm2', healthy: false, ready: true, taints: ['gpu:NoSchedule'], drainable: false },
      { name: 'm3', healthy: true, ready: true, taints: [], drainable: false, pods: { allocatable: 9, allocated: 0 } },
    ]);
  });

  it.each([
    [{}, { state: 'Pending', message: 'the functions have not evaluated it yet' }],
    [
      { state: 'Running', message: 'wave 2 of 5', conditions: [drained('False', 'Draining')] },
      { state: 'Running', message: 'wave 2 of 5' },
    ],
    [
      { state: 'Idle', message: 'no trigger', conditions: [drained('False', 'WorkloadsLeft')] },
      { state: 'WorkloadsLeft', message: 'about its workloads' },
    ],
    [
      { state: 'Idle', message: 'no trigger', conditions: [drained('True', 'Drained')] },
      { state: 'Drained', message: 'about its workloads' },
    ],
  ])('has the drain of a cluster with the status %j as %j', (status, view) => {
    const drains = [{ name: 'upgrade', drains: 'm1', status }] as unknown as RebalancePolicy[];
    const members = [member('m0'), member('m1')];
    const { clusters: found } = fleetAnswer({ drains, members, bindings: [], managedClusters: [], elastic: [] });
    expect(found).toMatchObject([
      { name: 'm0', drainable: true },
      { name: 'm1', drain: { name: 'upgrade', ...view } },
    ]);
    expect(found[0]).not.toHaveProperty('drain');
  });

  it('has its workloads by namespace and name, with replicas, ready ones and those that are kept', () => {
    const import_ = { type: 'Import', import: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'x' } };
    const workloads = [
      elastic('z', {
        key: { namespace: 'api', name: 'z' },
        spec: { target: import_, distributionStrategy: { totalReplicas: 4 } },
        status: {
          clusters: [
            { name: 'm2', replicas: 3, readyReplicas: 1 },
            { name: 'm0', replicas: 0 },
            { name: 'gone', replicas: 9 },
          ],
        },
      }),
      elastic('a'),
    ];
    const members = ['m0', 'm1', 'm2'].map((name) => member(name));
    const key = (namespace: string, name: string) => ({ namespace, name, key: { namespace, name } });
    expect(fleetAnswer({ members, bindings: [moving], managedClusters: [], elastic: workloads }).workloads).toEqual([
      {
        kind: 'ElasticWorkload of Deployment',
        ...key('api', 'z'),
        replicas: 4,
        shares: [
          [0, 0, 0, 0],
          [2, 3, 1, 0],
        ],
      },
      { kind: 'ElasticWorkload of nothing', ...key('shop', 'a'), replicas: 5, shares: [] },
      {
        kind: 'Deployment',
        ...key('shop', 'web'),
        key: { namespace: 'shop', name: 'web-deployment' },
        replicas: 7,
        shares: [
          [0, 0, 0, 2],
          [1, 1, 0, 3],
          [2, 6, 5, 0],
        ],
      },
    ]);
  });
});

describe('a fleet that changes while it is read', () => {
  const member = (name: string, over: object = {}): Member => {
    return { cluster: { ...cluster(name), ...over }, uid: name, createdAt: at(0), ready: true, healthy: true };
  };

  it('omits the replicas in a cluster that is in no list', () => {
    const bindings = [placedBinding({ current: { gone: 3, m1: 2 } })];
    const members = ['m0', 'm1'].map((name) => member(name));
    const { workloads } = fleetAnswer({ members, bindings, managedClusters: [], elastic: [] });
    expect(workloads.map(({ shares }) => shares)).toEqual([[[1, 2, 0, 0]]]);
  });

  it('omits the pods of a cluster that reports no allocatable resources', () => {
    const members = [member('m1', { resourceSummary: {} })];
    const { clusters: found } = fleetAnswer({ members, bindings: [], managedClusters: [], elastic: [] });
    expect(found).toEqual([{ name: 'm1', healthy: true, ready: true, taints: [], drainable: false }]);
  });

  it('has workloads of one name in the order in which they were read', () => {
    const kinds = ['StatefulSet', 'Deployment', 'Job'];
    const bindings = kinds.map((kind) =>
      placedBinding({ spec: { resource: { apiVersion: 'apps/v1', kind, namespace: 'shop', name: 'web' } } }),
    );
    const { workloads } = fleetAnswer({ members: [], bindings, managedClusters: [], elastic: [] });
    expect(workloads.map(({ kind }) => kind)).toEqual(kinds);
  });
});

describe('a workload', () => {
  const decision = { decidedAt: at(30), run: 'run-1', outcome: 'Written', taken: 2, reason: 'no node' };
  const seen = {
    clusters: clusters({ m0: 10, m1: 10, m2: 10 }),
    failback: false,
    decisions: [decision as DeschedulingDecision],
    graceSeconds: 60,
  };

  it('has its clusters in order, and how it came to be as it is, newest first', () => {
    const answer = workloadAnswer({ ...seen, binding: moving });
    expect(answer).toMatchObject({
      key: { namespace: 'shop', name: 'web-deployment' },
      workload: deployment('web'),
      replicas: 7,
      scheduler: 'default-scheduler',
      triggeredAt: '2026-11-21T09:59:00Z',
      scheduledAt: '2026-11-21T09:58:00Z',
    });
    expect(answer.clusters).toEqual([
      { name: 'm0', assigned: 0, ready: 0, held: { replicas: 2, since: TEN } },
      { name: 'm1', assigned: 1, ready: 0, held: { replicas: 4, since: TEN, until: '2026-11-21T10:01:00Z' } },
      { name: 'm2', assigned: 6, ready: 5 },
    ]);
    const keeps = (name: string, count: number) => {
      const text = `${name} keeps ${count} until their replacements are ready`;
      return { at: TEN, who: 'graceful reduction', what: 'written', text };
    };
    expect(answer.history).toEqual([
      {
        at: '2026-11-21T10:00:30Z',
        who: 'descheduler',
        what: 'decided',
        text: 'Written, 2 taken out: no node',
        id: 'run-1',
      },
      keeps('m0', 2),
      keeps('m1', 4),
      {
        ...{ at: '2026-11-21T09:59:00Z', who: 'WorkloadRebalancer demo', what: 'written', id: 'uid-1' },
        text: 'asked the scheduler to assign it anew (rescheduleTriggeredAt)',
      },
      {
        ...{ at: '2026-11-21T09:58:00Z', who: 'scheduler default-scheduler', what: 'written' },
        text: 'last assigned it: m2 6, m1 1',
      },
    ]);
  });

  it('that was never scheduled has no times and no history', () => {
    const answer = workloadAnswer({
      ...seen,
      decisions: [],
      binding: placedBinding({ spec: { schedulerName: 'ours' } }),
    });
    expect(answer.scheduler).toBe('ours');
    expect(answer.history).toEqual([]);
    for (const field of ['triggeredAt', 'scheduledAt']) expect(answer).not.toHaveProperty(field);
  });

  it('that a user triggered manually, on no cluster, reports it', () => {
    const binding = placedBinding({ spec: { rescheduleTriggeredAt: TEN }, status: { lastScheduledTime: TEN } });
    const { history } = workloadAnswer({ ...seen, decisions: [], binding });
    expect(history.map(({ who, id, text }) => [who, id, text.slice(0, 32)])).toEqual([
      ['another client', undefined, 'asked the scheduler to assign it'],
      ['scheduler default-scheduler', undefined, 'last assigned it: to no cluster'],
    ]);
  });

  it('has no plan where it fits nowhere', () => {
    const binding = placedBinding({ replicas: 50 });
    expect(workloadAnswer({ ...seen, binding }).plan).toMatchObject({ steady: null, fresh: null });
    const { plan } = workloadAnswer({ ...seen, binding: placedBinding({ replicas: 3 }) });
    expect(plan.fresh).toEqual({ m0: 1, m1: 1, m2: 1 });
  });
});

describe('the health of hubs', () => {
  const time = { now: at(10), resyncMinutes: 5 };
  it('is asked of the last hour by code, so that the query does not grow with the number of hubs', () => {
    expect(healthQuery(at(3600))).toEqual({
      about: [{ code: 'EK310' }, { code: 'EK200' }, { code: 'EK331' }],
      since: at(0),
      limit: 500,
    });
  });

  it('has each hub’s silent estimators once, with the last error, and when it was slow last', () => {
    const silent = (hub: string, seconds: number, error: string) => {
      return { at: at(seconds), code: 'EK310', fields: { hub, cluster: 'm1', error } } as const;
    };
    const slow = { at: at(0), code: 'EK200', fields: { hub: 'a', inFlight: 4 } } as const;
    const late = { at: at(0), code: 'EK331', fields: { hub: 'c', overdue: 2, since: '2026-11-21T09:50:00Z' } } as const;
    const lines = [silent('a', 9, 'late'), slow, silent('a', 5, 'before'), silent('b', 0, 'away'), late];
    const notes = hubNotes(['a', 'b', 'c'], { lines, lastEvents: new Map([['b', at(7)]]) }, time);
    const codes = notes.hubs.map(({ findings }) => findings.map(({ code }) => code));
    expect(codes).toEqual([['EstimatorSilent', 'HubSlow'], ['EstimatorSilent'], ['ReductionsOverdue']]);
    expect({ hubs: notes.hubs.map(({ findings: _, ...note }) => note) }).toEqual({
      hubs: [
        {
          name: 'a',
          silentEstimators: [{ cluster: 'm1', at: '2026-11-21T10:00:09Z', error: 'late' }],
          slowed: { at: TEN, inFlight: 4 },
        },
        {
          name: 'b',
          silentEstimators: [{ cluster: 'm1', at: TEN, error: 'away' }],
          lastEventAt: '2026-11-21T10:00:07Z',
        },
        { name: 'c', silentEstimators: [], overdue: { at: TEN, count: 2, since: '2026-11-21T09:50:00Z' } },
      ],
    });
    expect(unreadNotes(['a'], 'no logs')).toEqual({
      hubs: [{ name: 'a', silentEstimators: [], findings: [] }],
      unread: 'no logs',
    });
  });

  it.each([
    [{ state: 'Reachable', comparedAt: at(0) }, undefined, { findings: [] }],
    [
      { state: 'NotCompared', message: 'rejected', comparedAt: at(0) },
      { since: at(0), reason: 'upgrade' },
      {
        paused: { since: TEN, reason: 'upgrade' },
        findings: [expect.objectContaining({ code: 'HubPaused', remedy: 'evenkeel resume a' })],
      },
    ],
  ])('is %j, paused %j', (reach, pause, more) => {
    const { comparedAt, ...rest } = reach as { comparedAt?: number };
    const features = ['policies'] as const;
    const record = storedHub({ name: 'a', features, pause, auditLogGroup: '/aws/a', revision: 4 });
    expect(hubView({ record, reach: reach as never })).toEqual({
      ...{ name: 'a', state: 'Active', server: 'https://karmada.example:6443', features: ['policies'] },
      ...{ auditLogGroup: '/aws/a', revision: 4 },
      ...more,
      reach: { ...rest, ...(comparedAt !== undefined && { comparedAt: TEN }) },
    });
  });
});
