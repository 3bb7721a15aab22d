import { describe, expect, it } from 'vitest';
import { compileRules } from '../../../shared/admission/evaluate-rules.ts';
import { ENTRY_BYTES, rebalancerRules, SPEC_BYTES } from '../../../shared/workload-rebalancer/rebalancer-rules.ts';
import { workloads, writes } from './rebalancer-cases.ts';

const finding = compileRules(rebalancerRules);

function object(spec: object, annotations?: object) {
  return { metadata: { name: 'r', ...(annotations && { annotations }) }, spec };
}

describe('a WorkloadRebalancer', () => {
  it.each(writes)('$description', ({ spec, annotations, before, rejection }) => {
    const found = finding({ object: object(spec, annotations), oldObject: before ? object(before) : null });
    expect(found).toEqual({ unevaluated: [], ...(rejection !== undefined && { rejection }) });
  });

  it('that is rejected for its size fits after it is split as the message states', () => {
    const { rejection = '' } = finding({ object: object({ workloads: workloads(9000) }), oldObject: null });
    const most = Number(/at most (\d+) workloads/.exec(rejection)?.[1]);
    expect(finding({ object: object({ workloads: workloads(most) }), oldObject: null }).rejection).toBeUndefined();
  });

  it('is counted as it will weigh when every workload was not found', () => {
    const texts = { apiVersion: '', kind: '', name: '', namespace: '' };
    const inStatus = { reason: 'ReferencedBindingNotFound', result: 'Failed', workload: texts };
    expect(ENTRY_BYTES).toBe(`${JSON.stringify(texts)},${JSON.stringify(inStatus)},`.length);
    const list = workloads(5923);
    const status = { observedWorkloads: list.map((workload) => ({ ...inStatus, workload })) };
    const bytes = JSON.stringify({ ...object({ workloads: list }), status }).length;
    expect(bytes).toBeLessThan(SPEC_BYTES + 1024);
    expect(bytes + 32 * 1024).toBeLessThan(1536 * 1024 + 1024);
  });

  it('with the copy of its spec that kubectl apply keeps is counted no lighter than it is', () => {
    const list = workloads(3000);
    const copy = { 'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify({ spec: { workloads: list } }) };
    const { rejection = '' } = finding({ object: object({ workloads: workloads(6000) }, copy), oldObject: null });
    const counted = Number(/about (\d+) bytes/.exec(rejection)?.[1]) - 6000 * 260;
    expect(counted).toBeGreaterThanOrEqual(JSON.stringify(copy).length);
  });
});

describe('what is no rebalancer', () => {
  it.each([null, undefined, 'text', [], { metadata: {} }])('goes through: %j', (given) => {
    expect(finding({ object: given, oldObject: null }).rejection).toBeUndefined();
  });
});
