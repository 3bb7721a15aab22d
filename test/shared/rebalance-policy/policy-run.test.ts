import { describe, expect, it } from 'vitest';
import {
  clustersOf,
  isRunning,
  type PolicyRun,
  type PolicyState,
  type Trigger,
  triggerText,
} from '../../../shared/rebalance-policy/policy-run.ts';
import { durationMs } from '../../../shared/rebalance-policy/rebalance-policy.ts';
import { at } from '../../builders.ts';

const recovered: Trigger = { type: 'ClusterRecovered', cluster: 'm1', uid: 'u1', at: at(0) };
const joined: Trigger = { type: 'ClusterJoined', cluster: 'm2', uid: 'u2', at: at(0) };

describe('the trigger of a run', () => {
  it.each<[Trigger, string]>([
    [recovered, 'ClusterRecovered m1'],
    [joined, 'ClusterJoined m2'],
    [{ type: 'Imbalance', percent: 30 }, 'Imbalance of 30 %'],
    [{ type: 'Schedule', at: at(0) }, 'Schedule'],
    [{ type: 'CapacityFreed' }, 'CapacityFreed'],
  ])('%j is reported as %s', (trigger, text) => {
    expect(triggerText(trigger)).toBe(text);
  });

  it('names the clusters whose change it was', () => {
    expect(clustersOf([{ type: 'CapacityFreed' }, joined, recovered])).toEqual(['m2', 'm1']);
    expect(clustersOf([])).toEqual([]);
  });
});

describe('a policy', () => {
  const state = (run?: Partial<PolicyRun>) => ({ ...(run && { run }) }) as PolicyState;

  it('is running where its run is, and not before or after', () => {
    expect([state({ state: 'Running' }), state({ state: 'Finished' }), state(), undefined].map(isRunning)).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });
});

describe('a duration', () => {
  it.each([
    ['90s', 90_000],
    ['1h30m', 5_400_000],
    ['2m5s', 125_000],
    ['0s', 0],
  ])('of %s is %i ms', (text, ms) => {
    expect(durationMs(text)).toBe(ms);
  });
});
