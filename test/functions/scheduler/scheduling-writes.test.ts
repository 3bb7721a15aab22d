/** The writes of our scheduler to a binding. */
import { describe, expect, it } from 'vitest';
import { afterPatch, patchOf, planWrites, silentEstimators } from '../../../functions/scheduler/schedule-binding.ts';
import { Fault } from '../../../shared/core/fault.ts';
import { at } from '../../builders.ts';
import { cluster, DUPLICATED, placedBinding } from '../../placed-objects.ts';

const web = placedBinding({ placement: { replicaScheduling: DUPLICATED } });
const clusters = [cluster('m1')];

describe('a write', () => {
  it('is conditional, and on the status subresource for a status', () => {
    const { resourceVersion } = web.metadata;
    const change = { metadata: { annotations: { a: '1' } }, spec: {} };
    expect(patchOf(web, change)).toEqual({ merge: { ...change, metadata: { ...change.metadata, resourceVersion } } });
    expect(patchOf(web, { status: {} })).toEqual({
      merge: { status: {}, metadata: { resourceVersion } },
      subresource: 'status',
    });
  });

  it('is repeated by a redelivery after a conflict, and not for a deleted binding', () => {
    const written = { ...web };
    expect(afterPatch(web, { result: 'done', object: written })).toBe(written);
    expect(afterPatch(web, { result: 'missing' })).toBe(web);
    expect(() => afterPatch(web, { result: 'conflict' })).toThrow(/changed under the write$/);
  });

  it('is of the spec, then of the status, for a binding that was never scheduled', () => {
    const { spec, status } = planWrites({ binding: web, clusters, available: () => 9 }, at(0));
    expect(spec).toMatchObject({ spec: { clusters: [{ name: 'm1' }] } });
    expect(status(web)).toHaveProperty('status');
  });
});

it('logs one line per silent estimator', () => {
  const fault = new Fault('retryable', 'no answer', { reason: 'EstimatorTimeout' });
  expect(silentEstimators('karmada', new Map([['m1', fault]]))).toEqual([
    { code: 'EK310', fields: { hub: 'karmada', cluster: 'm1', reason: 'EstimatorTimeout', error: 'no answer' } },
  ]);
});
