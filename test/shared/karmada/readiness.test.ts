import { describe, expect, it } from 'vitest';
import {
  newestTemplate,
  type ReportedStatus,
  readyIn,
  reportsOf,
  whyNotAssigned,
  whyNotCurrent,
} from '../../../shared/karmada/readiness.ts';
import { placedBinding } from '../../placed-objects.ts';

const report = (status: ReportedStatus['status'], rest: Partial<ReportedStatus> = {}): ReportedStatus => ({
  clusterName: 'm1',
  status,
  ...rest,
});

describe('ready replicas', () => {
  it.each<[string, ReportedStatus | undefined, number]>([
    ['as many as are reported', report({ replicas: 4, readyReplicas: 3 }), 3],
    ['zero if some are counted and none is reported as ready', report({ replicas: 4 }, { health: 'Healthy' }), 0],
    ['as many as are reported, though nothing else is', report({ readyReplicas: 2 }), 2],
    ['none where nothing is reported', undefined, 0],
    ['all of what counts no replicas and is healthy', report({}, { health: 'Healthy' }), 5],
    ['all of what has no status and is healthy', report(undefined, { health: 'Healthy' }), 5],
    ['none of what counts no replicas and is not healthy', report({}, { health: 'Unhealthy' }), 0],
    ['zero without a report', report({}), 0],
  ])('are %s', (_what, given, ready) => {
    expect(readyIn(given, 5)).toBe(ready);
  });

  it('are found by cluster', () => {
    const aggregatedStatus = [{ clusterName: 'm1' }, { clusterName: 'm2', applied: false }];
    const reports = reportsOf(placedBinding({ status: { aggregatedStatus } }));
    expect([...reports]).toEqual([
      ['m1', { clusterName: 'm1' }],
      ['m2', { clusterName: 'm2', applied: false }],
    ]);
  });
});

describe('unscheduled replicas', () => {
  const scheduled = (status: string, message?: string) => ({
    conditions: [
      { type: 'FullyApplied', status: 'False', message: 'not this one' },
      { type: 'Scheduled', status, ...(message !== undefined && { message }) },
    ],
  });

  it.each<[string, object, string | undefined]>([
    ['all have one', scheduled('True'), undefined],
    [
      'the scheduler reports a reason',
      scheduled('False', '0/3 clusters fit'),
      'the scheduler could not place it: 0/3 clusters fit',
    ],
    ['the scheduler reports no reason', scheduled('False'), 'the scheduler could not place it: it gives no reason'],
  ])('%s', (_what, status, why) => {
    expect(whyNotAssigned(placedBinding({ replicas: 5, current: { m1: 2, m2: 3 }, status }))).toBe(why);
  });

  it('are reported by number if the scheduler reports nothing', () => {
    expect(whyNotAssigned(placedBinding({ replicas: 6, current: { m1: 2, m2: 3 } }))).toBe(
      '5 of 6 replicas are assigned',
    );
  });
});

describe('the newest template', () => {
  it('is the greatest number that any member reports', () => {
    const of = (...numbers: readonly (number | undefined)[]) =>
      placedBinding({
        status: {
          aggregatedStatus: numbers.map((number, index) => ({
            clusterName: `m${index}`,
            ...(number !== undefined && { status: { resourceTemplateGeneration: number } }),
          })),
        },
      });
    expect([newestTemplate(of(2, 5, undefined, 3)), newestTemplate(of(undefined)), newestTemplate(of())]).toEqual([
      5,
      undefined,
      undefined,
    ]);
  });
});

describe('a status report', () => {
  it.each<[ReportedStatus | undefined, number | undefined, string | undefined]>([
    [undefined, undefined, 'nothing is reported'],
    [report({}, { applied: false }), undefined, 'it is not applied'],
    [report({}, { applied: true }), undefined, undefined],
    [report(undefined), 3, undefined],
    [
      report({ generation: 4, observedGeneration: 3 }),
      undefined,
      'its controller has not observed the last change yet',
    ],
    [report({ generation: 4, observedGeneration: 4 }), undefined, undefined],
    [report({ generation: 4 }), undefined, undefined],
    [report({ observedGeneration: 4 }), undefined, undefined],
    [report({ generation: 4, observedGeneration: null }), undefined, undefined],
    [report({ resourceTemplateGeneration: null }), 3, undefined],
    [report({ resourceTemplateGeneration: 2 }), 3, 'it has not been given the last template yet'],
    [report({ resourceTemplateGeneration: 3 }), 3, undefined],
    [report({ resourceTemplateGeneration: 2 }), undefined, undefined],
  ])('%j of template %s is current, or the result states why not', (given, template, why) => {
    expect(whyNotCurrent(given, template)).toBe(why);
  });
});
