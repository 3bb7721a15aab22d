/** MoveBudgets as the hub stores them, and their limits. */
import { beforeEach, describe, expect, it } from 'vitest';
import { createObjectStore } from '../../../local/practice-hub/store/object-store.ts';
import type { ObjectStore } from '../../../local/practice-hub/store/objects.ts';
import { budgetCrd } from '../../../shared/move-budget/budget-crd.ts';
import { budgetProblems, limitsOf, moveBudgets, workloadLimit } from '../../../shared/move-budget/move-budget.ts';
import { user } from '../../fakes/practice-fleet.ts';
import { invalidLimits } from './budget-cases.ts';

const MINUTE = 60_000;
const kind = { apiVersion: 'evenkeel.dev/v1alpha1', kind: 'MoveBudget' };
let store: ObjectStore;
const create = (...limits: readonly object[]) =>
  store.create('movebudgets', { ...kind, metadata: { name: 'hub' }, spec: { limits } }, user);
const limits = (...given: readonly object[]) => limitsOf(moveBudgets.parse(create(...given)));

beforeEach(() => {
  store = createObjectStore({ now: () => Date.parse('2026-11-21T10:00:00Z'), newUid: () => 'uid' });
});

describe('a MoveBudget', () => {
  it('has limits in flight and within a window, of some reasons, and at some times', () => {
    const schedule = { cron: '0 9 * * 1-5', timeZone: 'Europe/Berlin' };
    expect(
      limits(
        { per: 'Cluster', replicas: '10%' },
        { per: 'Hub', replicas: '0', schedule, duration: '8h' },
        { per: 'Workload', replicas: '7', window: '1h30m', reasons: ['Drain'] },
      ),
    ).toEqual([
      { of: 'MoveBudget hub', per: 'Cluster', replicas: { value: 10, isPercent: true } },
      {
        of: 'MoveBudget hub',
        per: 'Hub',
        replicas: { value: 0, isPercent: false },
        applies: { ...schedule, durationMs: 480 * MINUTE },
      },
      {
        of: 'MoveBudget hub',
        per: 'Workload',
        replicas: { value: 7, isPercent: false },
        window: 90 * MINUTE,
        reasons: ['Drain'],
      },
    ]);
  });

  it.each(invalidLimits)('is rejected with the limit %j, with the field and what to write', (limit, message) => {
    expect(() => create(limit)).toThrow(message);
  });

  it('always applies with a calendar that does not exist, and names the error', () => {
    const schedule = { cron: '0 9 * * 1-5', timeZone: 'Berlin' };
    const [limit] = limits({ per: 'Hub', replicas: '0', schedule, duration: '8h' });
    expect(limit).toEqual({
      of: 'MoveBudget hub (spec.limits[0].schedule.timeZone is "Berlin"; write a name of the IANA time zone database, for example Europe/Berlin)',
      per: 'Hub',
      replicas: { value: 0, isPercent: false },
    });
  });

  it('has the problems of its calendars, with the field and what to write', () => {
    const calendar = (timeZone: string) => ({
      ...{ per: 'Hub', replicas: '0', duration: '8h' },
      schedule: { cron: '0 9 * * 1-5', timeZone },
    });
    const { spec } = moveBudgets.parse(create({ per: 'Hub', replicas: '1' }, calendar('UTC'), calendar('Berlin')));
    expect(budgetProblems({ spec })).toEqual([
      'spec.limits[2].schedule.timeZone is "Berlin"; write a name of the IANA time zone database, for example Europe/Berlin',
    ]);
  });

  it('is read where the hub serves it, and named in the error if it can not be read', () => {
    const { group, version, plural, namespaced, parse } = moveBudgets;
    expect([group, version, plural, namespaced]).toEqual(['evenkeel.dev', 'v1alpha1', 'movebudgets', false]);
    const { metadata } = create({ per: 'Hub', replicas: '1' });
    expect(() => parse({ metadata })).toThrow('MoveBudget hub cannot be read: spec');
  });

  it('is shown with what its limits are of, and how many replicas they allow', () => {
    const { versions } = (budgetCrd() as { spec: { versions: { additionalPrinterColumns: { name: string }[] }[] } })
      .spec;
    expect(versions[0]?.additionalPrinterColumns.map(({ name }) => name)).toEqual(['PER', 'REPLICAS', 'AGE']);
  });
});

it.each([
  ['3', { value: 3, isPercent: false }],
  ['10%', { value: 10, isPercent: true }],
  ['ten', { value: 0, isPercent: false }],
  ['', { value: 0, isPercent: false }],
])('the annotation of a workload (%s) is a limit of that workload', (annotation, replicas) => {
  expect(workloadLimit(annotation)).toEqual({
    of: `annotation evenkeel.dev/move-limit: ${annotation}`,
    per: 'Workload',
    replicas,
  });
});
