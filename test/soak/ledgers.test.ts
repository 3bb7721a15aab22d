/** The soak's ledgers detect violations: each promise broken once. */
import { describe, expect, it } from 'vitest';
import type { StoreChange } from '../../local/practice-hub/store/objects.ts';
import { at, deployment } from '../builders.ts';
import { openEnds, RebalancerLedger, type Shown } from './rebalancer-ledger.ts';
import { TriggerLedger } from './trigger-ledger.ts';

const [a, b] = [deployment('a'), deployment('b')];
const successful = (workload: typeof a) => ({ workload, result: 'Successful' });

function shown(changes: { metadata?: object; spec?: object; status?: object } = {}): Shown {
  return {
    metadata: { name: 'demo', uid: 'u', generation: 1, creationTimestamp: '2026-11-21T10:00:00Z', ...changes.metadata },
    spec: { workloads: [a], ...changes.spec },
    ...(changes.status && { status: changes.status }),
  };
}

const done = { observedWorkloads: [successful(a)], observedGeneration: 1, finishTime: '2026-11-21T10:00:02Z' };

function mistakes(now: number, ...changes: readonly [StoreChange['type'], Shown][]): readonly string[] {
  const ledger = new RebalancerLedger(
    () => now,
    new Set(['of-users']),
    (name) => !name.endsWith('/gone'),
  );
  for (const [type, object] of changes) {
    ledger.onChange({ type, plural: 'workloadrebalancers', object: object as unknown as StoreChange['object'] });
  }
  return ledger.wrong;
}

describe('what a rebalancer shows', () => {
  it('is right from creation to its deletion at its ttl', () => {
    const spec = { ttlSecondsAfterFinished: 5 };
    expect(
      mistakes(
        at(7),
        ['ADDED', shown({ spec })],
        ['MODIFIED', shown({ spec, status: done })],
        ['DELETED', shown({ spec, status: done })],
      ),
    ).toEqual([]);
  });

  it.each<[string, object, RegExp]>([
    ['out of order', { ...done, observedWorkloads: [successful(b), successful(a)] }, /out of order/],
    ['twice', { ...done, observedWorkloads: [successful(a), successful(a)] }, /out of order/],
    [
      'not asked for',
      { ...done, observedWorkloads: [successful(a), successful(deployment('c'))] },
      /no user asked for .*c/,
    ],
    [
      'without a binding, and Successful',
      { ...done, observedWorkloads: [successful(deployment('gone'))] },
      /has no binding/,
    ],
    [
      'Failed, and has a binding',
      { ...done, observedWorkloads: [{ workload: a, result: 'Failed', reason: 'ReferencedBindingNotFound' }] },
      /a Failed/,
    ],
    [
      'finished without a result',
      { ...done, observedWorkloads: [{ workload: a }] },
      /finished with a workload that is not/,
    ],
    ['of a generation to come', { ...done, observedGeneration: 2 }, /observes generation 2/],
  ])('is wrong where a workload or generation is %s', (_what, status, message) => {
    const spec = { workloads: [a, b, deployment('gone')] };
    expect(mistakes(at(9), ['ADDED', shown({ spec })], ['MODIFIED', shown({ spec, status })]).join()).toMatch(message);
  });

  it('is wrong where a success is forgotten', () => {
    const status = { ...done, observedWorkloads: [] };
    expect(mistakes(at(9), ['ADDED', shown({ status: done })], ['MODIFIED', shown({ status })])).toEqual([
      'demo: apps/v1/Deployment/shop/a had succeeded, and is not reported any more',
    ]);
  });

  it.each<[string, number, object, RegExp]>([
    ['before its ttl', at(6), { spec: { ttlSecondsAfterFinished: 5 }, status: done }, /deleted at/],
    ['without a ttl', at(99), { status: done }, /deleted at/],
    ['unfinished', at(99), { spec: { ttlSecondsAfterFinished: 5 } }, /deleted at/],
    [
      'with an unobserved edit',
      at(99),
      { metadata: { generation: 2 }, spec: { ttlSecondsAfterFinished: 5 }, status: done },
      /an unobserved edit/,
    ],
  ])('is wrong where it is deleted %s', (_what, now, changes, message) => {
    expect(mistakes(now, ['ADDED', shown()], ['DELETED', shown(changes)]).join()).toMatch(message);
  });

  it('is allowed if users delete it', () => {
    const metadata = { uid: 'of-users' };
    expect(mistakes(at(1), ['ADDED', shown({ metadata })], ['DELETED', shown({ metadata })])).toEqual([]);
  });
});

describe('in the end', () => {
  const known = (askedAt: number, workload = 'a') => ({
    name: 'demo',
    uid: 'u',
    shown: shown(),
    askedAt: new Map([[`apps/v1/Deployment/shop/${workload}`, askedAt]]),
    succeeded: new Set<string>(),
  });

  it.each<[string, object, readonly string[]]>([
    ['nothing is open if all is reported', { status: done }, []],
    [
      'a generation must be observed',
      { metadata: { generation: 2 }, status: done },
      ['demo: generation 2 is not observed'],
    ],
    [
      'all must be reported',
      { spec: { workloads: [a, b] }, status: done },
      ['demo: apps/v1/Deployment/shop/b has no result'],
    ],
    [
      'a failure that left the list must be gone',
      { status: { ...done, observedWorkloads: [successful(a), { workload: b, result: 'Failed' }] } },
      ['demo: apps/v1/Deployment/shop/b left the list without success, and is still reported'],
    ],
  ])('%s', (_what, changes, open) => {
    expect(openEnds(known(at(0)), shown(changes))).toEqual(open);
  });

  it('the finish must be as late as the last workload that was added', () => {
    expect(openEnds(known(at(2) + 999), shown({ status: done }))).toEqual([]);
    expect(openEnds(known(at(3)), shown({ status: done }))).toEqual([
      'demo: it finished at 2026-11-21T10:00:02Z, before apps/v1/Deployment/shop/a was asked for',
    ]);
  });

  it('one that was added and removed before a reconcile has no part in the finish', () => {
    expect(openEnds(known(at(3), 'b'), shown({ status: done }))).toEqual([]);
  });
});

describe('the triggers of a binding', () => {
  function triggers(
    ...written: readonly [by: string, second: number, scheduled?: number, writtenAt?: number][]
  ): TriggerLedger {
    let now = 0;
    const ledger = new TriggerLedger(() => now);
    for (const [by, second, scheduled, writtenAt = second] of written) {
      now = at(writtenAt);
      const time = (instant: number) => new Date(at(instant)).toISOString();
      const object = {
        apiVersion: 'work.karmada.io/v1alpha2',
        kind: 'ResourceBinding',
        metadata: { name: 'a-deployment', annotations: { 'evenkeel.dev/triggered-by': by } },
        spec: { rescheduleTriggeredAt: time(second) },
        ...(scheduled !== undefined && { status: { lastScheduledTime: time(scheduled) } }),
      };
      ledger.onChange({
        type: 'MODIFIED',
        plural: 'resourcebindings',
        object: object as unknown as StoreChange['object'],
      });
    }
    return ledger;
  }

  it('are counted once a value', () => {
    const ledger = triggers(['x', 1], ['x', 1, 1], ['y', 2, 2]);
    expect(ledger.wrong).toEqual([]);
    expect(ledger.count).toBe(2);
    expect(ledger.waiting()).toEqual([]);
    expect(ledger.isTriggeredSince('a-deployment', at(2) + 500)).toBe(true);
    expect(ledger.isTriggeredSince('a-deployment', at(3))).toBe(false);
  });

  it('count for a request that came before they were written, whatever their time', () => {
    const ledger = triggers(['x', 1, 1, 5]);
    expect(ledger.isTriggeredSince('a-deployment', at(4))).toBe(true);
    expect(ledger.isTriggeredSince('a-deployment', at(6))).toBe(false);
  });

  it.each<[string, readonly [string, number][], string]>([
    [
      'go back',
      [
        ['x', 5],
        ['y', 4],
      ],
      `the trigger of a-deployment went back from ${at(5)} to ${at(4)}`,
    ],
    [
      'are written twice by one',
      [
        ['x', 4],
        ['y', 5],
        ['x', 6],
      ],
      'x triggered a-deployment twice',
    ],
  ])('are wrong where they %s', (_what, written, message) => {
    expect(triggers(...written).wrong).toEqual([message]);
  });

  it('are reported if the scheduler does not act on the last one', () => {
    expect(triggers(['x', 5, 4]).waiting()).toEqual(['the scheduler has not acted on the trigger of a-deployment']);
  });
});
