/** Autoscalers of a hub, and the workloads that are not moved while they are scaled. */
import { describe, expect, it } from 'vitest';
import type { Instant } from '../../../shared/core/time.ts';
import { type PlacedBinding, parsePlacedBinding } from '../../../shared/karmada/placed-binding.ts';
import { autoscalers, autoscalersByBinding, scalingOf } from '../../../shared/move-budget/autoscaler.ts';
import { createBudget } from '../../../shared/move-budget/budget.ts';
import { moveRequest } from '../../../shared/move-budget/move-request.ts';
import { at } from '../../builders.ts';

const metadata = {
  ...{ namespace: 'shop', name: 'by-load', uid: 'u', resourceVersion: '1', generation: 1 },
  creationTimestamp: '2026-11-21T08:00:00Z',
};
const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };
const [federated, cron, plain] = autoscalers.map(({ parse }) => parse) as [
  (object: unknown) => never,
  (object: unknown) => never,
  (object: unknown) => never,
];
const hpa = (status: object, behavior?: object) => federated({ metadata, spec: { scaleTargetRef, behavior }, status });
const NOW = at(400);
const scaled = { lastScaleTime: '2026-11-21T10:03:20Z', currentReplicas: 4, desiredReplicas: 4 };

it('are read where Karmada and Kubernetes serve them', () => {
  expect(autoscalers.map(({ group, version, plural, namespaced }) => [group, version, plural, namespaced])).toEqual([
    ['autoscaling.karmada.io', 'v1alpha1', 'federatedhpas', true],
    ['autoscaling.karmada.io', 'v1alpha1', 'cronfederatedhpas', true],
    ['autoscaling', 'v2', 'horizontalpodautoscalers', true],
  ]);
  for (const { kind, parse } of autoscalers)
    expect(() => parse({ metadata, spec: {} })).toThrow(`${kind} by-load cannot be read: spec.scaleTargetRef`);
});

describe('a workload', () => {
  it.each([
    ['that was never scaled', hpa({}), undefined],
    ['that its autoscaler has not decided on', hpa({ currentReplicas: 4, desiredReplicas: 0 }), undefined],
    [
      'with another wanted number',
      hpa({ ...scaled, desiredReplicas: 6 }),
      { reason: 'FederatedHPA shop/by-load is scaling it' },
    ],
    [
      'whose autoscaler has not reported yet that it scaled it to 3',
      hpa({ currentReplicas: 3, desiredReplicas: 3 }),
      { reason: 'FederatedHPA shop/by-load is scaling it' },
    ],
    [
      'whose autoscaler cannot scale it, and keeps its last decision in its status',
      hpa({
        ...scaled,
        lastScaleTime: null,
        desiredReplicas: 6,
        conditions: [{ type: 'ScalingActive', status: 'False' }],
      }),
      undefined,
    ],
    [
      'whose autoscaler is active, though it may not scale further',
      hpa({
        ...scaled,
        desiredReplicas: 6,
        conditions: [
          { type: 'ScalingActive', status: 'True' },
          { type: 'ScalingLimited', status: 'False' },
        ],
      }),
      { reason: 'FederatedHPA shop/by-load is scaling it' },
    ],
    ['without a number that is wanted', hpa({ currentReplicas: 4, desiredReplicas: null }), undefined],
    [
      'of whose members none has reported its replicas',
      plain({ metadata, spec: { scaleTargetRef }, status: { currentReplicas: null, desiredReplicas: 4 } }),
      undefined,
    ],
    [
      'that was scaled within the default window',
      hpa(scaled),
      {
        reason: 'FederatedHPA shop/by-load scaled it 200 s ago, and its stabilization window is 300 s',
        until: at(500),
      },
    ],
    [
      'that was scaled before its own window',
      hpa(scaled, { scaleDown: { stabilizationWindowSeconds: 200 } }),
      undefined,
    ],
    [
      'with a longer window for more replicas',
      hpa(scaled, { scaleDown: { stabilizationWindowSeconds: 0 }, scaleUp: { stabilizationWindowSeconds: 201 } }),
      {
        reason: 'FederatedHPA shop/by-load scaled it 200 s ago, and its stabilization window is 201 s',
        until: at(401),
      },
    ],
    [
      'that a CronFederatedHPA scaled',
      cron({
        metadata,
        spec: { scaleTargetRef },
        status: {
          executionHistories: [
            { successfulExecutions: [{ executionTime: '2026-11-21T10:05:00Z' }, { executionTime: null }] },
            { successfulExecutions: [{ executionTime: '2026-11-21T10:06:00Z' }] },
            {},
          ],
        },
      }),
      {
        reason: 'CronFederatedHPA shop/by-load scaled it 40 s ago, and its stabilization window is 300 s',
        until: at(660),
      },
    ],
    ['that a CronFederatedHPA is to scale', cron({ metadata, spec: { scaleTargetRef } }), undefined],
    [
      'of which each of two members has a HorizontalPodAutoscaler that scales nothing',
      plain({ metadata, spec: { scaleTargetRef }, status: { currentReplicas: 8, desiredReplicas: 8 } }),
      undefined,
    ],
    [
      'that a HorizontalPodAutoscaler of its members scales',
      plain({ metadata, spec: { scaleTargetRef }, status: { currentReplicas: 4, desiredReplicas: 5 } }),
      { reason: 'HorizontalPodAutoscaler shop/by-load is scaling it' },
    ],
  ])('%s', (_, autoscaler, expected) => {
    expect(scalingOf([autoscaler], 4, NOW)).toEqual(expected);
  });

  it('is scaled if one of two autoscalers of it scales it', () => {
    const idle = hpa({});
    const both = [hpa(scaled), idle];
    for (const found of [both, both.toReversed()]) expect(scalingOf(found, 4, NOW)).toMatchObject({ until: at(500) });
  });

  it('waits for the end of the window, with all of its replicas where they are', () => {
    const input = { limits: [], moves: [], pods: new Map(), now: NOW };
    const budget = createBudget({ ...input, autoscalers: autoscalersByBinding([hpa(scaled)]) });
    const binding = { namespace: 'shop', name: 'web-deployment' };
    const request = { binding, reason: 'Policy' as const, mover: 'x', generation: 1, replicas: 4 };
    expect(budget.take({ ...request, leaves: { m1: 1 } })).toMatchObject({ result: 'waits', until: at(500) });
    expect([budget.most(request, ['m1']), budget.waitsForMoves(), budget.granted()]).toEqual([0, false, undefined]);
    const other = { ...request, binding: { namespace: 'shop', name: 'api-deployment' }, leaves: { m1: 1 } };
    expect(budget.take(other).result).toBe('granted');
  });
});

describe('a workload without an autoscaler on the hub', () => {
  const bindingBy = (...managedFields: readonly object[]) =>
    parsePlacedBinding({
      metadata: { ...metadata, name: 'web-deployment', managedFields },
      spec: { resource: { ...scaleTargetRef, namespace: 'shop' }, replicas: 4 },
    });
  const detector = { manager: 'karmada-controller-manager', operation: 'Update' };
  const changed = bindingBy(
    { ...detector, time: '2026-11-21T10:01:41Z' },
    { ...detector, subresource: 'status', time: '2026-11-21T10:06:00Z' },
    { ...detector, manager: 'karmada-scheduler', time: '2026-11-21T10:06:00Z' },
  );
  const ask = (binding: PlacedBinding, isScaledByClient: boolean, now: Instant) => {
    const ofWorkload = { labels: {}, rebalancing: undefined, ...(isScaledByClient && { isScaledByClient }) };
    const request = moveRequest({ binding, metadata: ofWorkload }, { reason: 'Policy', mover: 'x', leaves: { m1: 1 } });
    return createBudget({ limits: [], moves: [], pods: new Map(), now }).take(request);
  };

  it('waits for 300 s after its last change if a client scales it', () => {
    expect(ask(changed, true, NOW)).toEqual({
      result: 'waits',
      reason: 'a client scales it, and its last change was 299 s ago, less than 300 s',
      until: at(401),
    });
    expect(ask(changed, true, at(401))).toEqual({ result: 'granted' });
  });

  it('is moved at any time if no client scales it, or the hub has no time of its last change', () => {
    expect(ask(changed, false, NOW)).toEqual({ result: 'granted' });
    expect(ask(bindingBy(detector), true, NOW)).toEqual({ result: 'granted' });
  });
});
