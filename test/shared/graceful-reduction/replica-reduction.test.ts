import { describe, expect, it } from 'vitest';
import {
  asksOrHolds,
  GRACE_PERIOD,
  graceEnd,
  gracePeriodOf,
  QUEUE,
  queueOf,
  REDUCTION_STRATEGY,
  type ReplicaReductionTask,
  reductionStrategyOf,
  SUPPRESS_DELETION,
  taskText,
} from '../../../shared/graceful-reduction/replica-reduction.ts';
import { at } from '../../builders.ts';
import { placedBinding } from '../../placed-objects.ts';

function binding(annotations: Readonly<Record<string, string>>, strategy?: string | null) {
  return placedBinding({
    metadata: { annotations },
    ...(strategy !== undefined && { spec: { replicaReductionStrategy: strategy } }),
  });
}

describe('the strategy of a binding', () => {
  it.each<[string, Readonly<Record<string, string>>, string | null | undefined, string | undefined]>([
    ['its field', {}, 'DelayWorkDeletion', 'DelayWorkDeletion'],
    ['its annotation', { [REDUCTION_STRATEGY]: 'DelayWorkDeletion' }, null, 'DelayWorkDeletion'],
    ['its field before its annotation', { [REDUCTION_STRATEGY]: 'DelayWorkDeletion' }, 'Never', undefined],
    ['no word that there is', { [REDUCTION_STRATEGY]: 'Soon' }, undefined, undefined],
    ['nothing', {}, undefined, undefined],
  ])('is %s', (_what, annotations, field, strategy) => {
    expect(reductionStrategyOf(binding(annotations, field))).toBe(strategy);
  });
});

describe('the queue of a binding', () => {
  const whole: ReplicaReductionTask = {
    replicas: 3,
    gracePeriodSeconds: 60,
    suppressDeletion: true,
    creationTimestamp: at(5),
  };

  it.each<[string, ReplicaReductionTask]>([
    ['{"replicas":3}', { replicas: 3 }],
    ['{"replicas":0}', { replicas: 0 }],
    [
      '{"replicas":3,"gracePeriodSeconds":60,"suppressDeletion":true,"creationTimestamp":"2026-11-21T10:00:05Z"}',
      whole,
    ],
    ['{"replicas":3,"suppressDeletion":false}', { replicas: 3 }],
    ['{"replicas":3,"creationTimestamp":"soon"}', { replicas: 3 }],
    ['{"replicas":-1}', { replicas: 0 }],
    ['{"replicas":1.5}', { replicas: 0 }],
    ['{"replicas":3,"gracePeriodSeconds":0}', { replicas: 0 }],
    ['{"gracePeriodSeconds":60}', { replicas: 0 }],
    ['keep it', { replicas: 0 }],
  ])('reads %s', (text, task) => {
    expect(queueOf(binding({ [`${QUEUE}m1`]: text })).get('m1')).toStrictEqual(task);
  });

  it.each<[ReplicaReductionTask, string]>([
    [{ replicas: 3 }, '{"replicas":3}'],
    [
      whole,
      '{"replicas":3,"gracePeriodSeconds":60,"suppressDeletion":true,"creationTimestamp":"2026-11-21T10:00:05Z"}',
    ],
  ])('writes %j', (task, text) => {
    expect(taskText(task)).toBe(text);
  });

  it('has an entry for each of its annotations, in the order of clusters, and for no other', () => {
    const entry = '{"replicas":1}';
    const annotations = { [`${QUEUE}b`]: entry, [`${QUEUE}c`]: entry, [`${QUEUE}a`]: entry, [`x-${QUEUE}d`]: entry };
    expect([...queueOf(binding(annotations)).keys()]).toEqual(['a', 'b', 'c']);
  });
});

describe('the timeout of a binding', () => {
  it.each<[Readonly<Record<string, string>>, object]>([
    [{}, {}],
    [{ [GRACE_PERIOD]: '90' }, { gracePeriodSeconds: 90 }],
    [{ [GRACE_PERIOD]: '9' }, { gracePeriodSeconds: 9 }],
    [{ [GRACE_PERIOD]: '1234567890' }, { gracePeriodSeconds: 1_234_567_890 }],
    [{ [GRACE_PERIOD]: '12345678901' }, {}],
    [{ [GRACE_PERIOD]: '0' }, {}],
    [{ [GRACE_PERIOD]: '-5' }, {}],
    [{ [GRACE_PERIOD]: '5s' }, {}],
    [{ [SUPPRESS_DELETION]: 'true', [GRACE_PERIOD]: '90' }, { suppressDeletion: true }],
    [{ [SUPPRESS_DELETION]: 'false', [GRACE_PERIOD]: '90' }, { gracePeriodSeconds: 90 }],
  ])('by %j is %j', (annotations, gracePeriod) => {
    expect(gracePeriodOf(binding(annotations))).toEqual(gracePeriod);
  });

  it.each<[string, ReplicaReductionTask, number | undefined]>([
    ['by its own period', { replicas: 1, creationTimestamp: at(0), gracePeriodSeconds: 5 }, at(5)],
    ['by the default', { replicas: 1, creationTimestamp: at(0) }, at(600)],
    [
      'never by itself, if it waits for an operator',
      { replicas: 1, creationTimestamp: at(0), suppressDeletion: true },
      undefined,
    ],
    ['at no time yet, before its begin is noted', { replicas: 1, gracePeriodSeconds: 5 }, undefined],
  ])('ends %s', (_what, task, end) => {
    expect(graceEnd(task, 600)).toBe(end);
  });
});

describe('reductions of a binding', () => {
  it.each([
    ['asked to be held', { [REDUCTION_STRATEGY]: 'DelayWorkDeletion' }, true],
    ['held, and not asked to be any more', { [`${QUEUE}m1`]: '{"replicas":1}' }, true],
    ['neither', { other: 'x' }, false],
  ])('are handled or not if they are %s', (_what, annotations, concern) => {
    expect(asksOrHolds(binding(annotations as Record<string, string>))).toBe(concern);
  });
});
