/** A simulated member: slots, pending pods, readiness, failure. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMemberCluster, type MemberCluster } from '../../local/practice-hub/controllers/member-cluster.ts';
import { createVirtualClock, type VirtualClock } from '../../local/virtual-clock.ts';

interface World {
  readonly clock: VirtualClock;
  readonly member: MemberCluster;
  readonly becameReady: string[];
}

function world(capacity: number): World {
  const clock = createVirtualClock('2026-11-21T10:00:00Z');
  const becameReady: string[] = [];
  const context = {
    now: () => clock.now(),
    later: (ms: number, fn: () => void) => void clock.after(ms, fn),
    onReady: (workloads: readonly string[]) => void becameReady.push(...workloads),
  };
  return { clock, becameReady, member: createMemberCluster({ name: 'm', capacity, readyDelayMs: 1000 }, context) };
}

const want = (member: MemberCluster, workload: string, replicas: number): void =>
  member.want(workload, { replicas, request: undefined });

describe('a member cluster', () => {
  it('makes pods ready after the delay and reports their workloads, once for all of the same moment', () => {
    const { clock, member, becameReady } = world(10);
    want(member, 'a', 2);
    want(member, 'b', 3);
    clock.advance(999);
    expect(member.counts('a')).toEqual({ replicas: 2, ready: 0 });
    clock.advance(1);
    expect([member.counts('a'), member.counts('b')]).toEqual([
      { replicas: 2, ready: 2 },
      { replicas: 3, ready: 3 },
    ]);
    expect(becameReady).toEqual(['a', 'b']);
  });

  it('removes pods that are not ready before ready ones', () => {
    const { clock, member } = world(10);
    want(member, 'a', 3);
    clock.advance(1000);
    want(member, 'a', 6);
    want(member, 'a', 4);
    expect(member.counts('a')).toEqual({ replicas: 4, ready: 3 });
    want(member, 'a', 1);
    clock.runAll();
    expect(member.counts('a')).toEqual({ replicas: 1, ready: 1 });
  });

  it('keeps pods that do not fit pending until a slot is free', () => {
    const { clock, member } = world(4);
    want(member, 'a', 3);
    want(member, 'b', 3);
    clock.runAll();
    expect(member.counts('b')).toEqual({ replicas: 3, ready: 1 });
    want(member, 'a', 0);
    expect(member.startWaiting()).toEqual(['b']);
    clock.runAll();
    expect(member.counts('b')).toEqual({ replicas: 3, ready: 3 });
  });

  it('never starts a pod that requests resources that the cluster lacks', () => {
    const { clock, member } = world(4);
    member.want('a', { replicas: 1, request: { 'nvidia.com/gpu': '1' } });
    clock.runAll();
    expect(member.counts('a')).toEqual({ replicas: 1, ready: 0 });
  });

  it('loses every pod when it fails, starts none while it is failed, and restarts all when it recovers', () => {
    const { clock, member } = world(4);
    want(member, 'a', 2);
    clock.runAll();
    member.fail();
    expect(member.counts('a').ready).toBe(0);
    want(member, 'a', 3);
    clock.advance(60_000);
    expect(member.counts('a').ready).toBe(0);
    member.recover();
    clock.advance(1000);
    expect(member.counts('a').ready).toBe(3);
  });

  it('does not make pods ready that were lost during their start', () => {
    const { clock, member } = world(4);
    want(member, 'a', 2);
    member.fail();
    member.recover();
    clock.advance(999);
    expect(member.counts('a').ready).toBe(0);
    clock.advance(1);
    expect(member.counts('a').ready).toBe(2);
  });

  it('never has more pods than slots, and its sums are those of its workloads, after any operations', () => {
    const step = fc.oneof(
      fc.record({ do: fc.constant('want'), workload: fc.constantFrom('a', 'b', 'c'), replicas: fc.nat(9) }),
      fc.record({ do: fc.constantFrom('fail', 'recover', 'wait') }),
    );
    fc.assert(
      fc.property(fc.array(step as fc.Arbitrary<{ do: string; workload?: string; replicas?: number }>), (steps) => {
        const { clock, member } = world(8);
        for (const { do: action, workload = '', replicas = 0 } of steps) {
          if (action === 'want') want(member, workload, replicas);
          else if (action === 'fail') member.fail();
          else if (action === 'recover') member.recover();
          else clock.advance(500);
          member.startWaiting();
          const { allocated, allocating } = member.summary();
          const wanted = member.workloads().reduce((sum, name) => sum + member.counts(name).replicas, 0);
          const ready = member.workloads().reduce((sum, name) => sum + member.counts(name).ready, 0);
          expect(Number(allocated.pods ?? 0)).toBeLessThanOrEqual(8);
          expect(Number(allocated.pods ?? 0) + Number(allocating.pods ?? 0)).toBe(wanted);
          expect(ready).toBeLessThanOrEqual(Number(allocated.pods ?? 0));
        }
        member.recover();
        member.startWaiting();
        clock.runAll();
        const wanted = member.workloads().reduce((sum, name) => sum + member.counts(name).replicas, 0);
        const ready = member.workloads().reduce((sum, name) => sum + member.counts(name).ready, 0);
        expect(ready).toBe(Math.min(8, wanted));
      }),
    );
  });

  it('keeps pods pending when it loses nodes, and starts them when it gets nodes', () => {
    const { clock, member } = world(5);
    want(member, 'a', 5);
    clock.advance(1000);
    member.setCapacity(2);
    expect(member.counts('a')).toEqual({ replicas: 5, ready: 2 });
    clock.advance(60_001);
    expect([member.unschedulable('a', 60_000), member.capacityFor(undefined)]).toEqual([3, 0]);
    member.setCapacity(9);
    clock.advance(1000);
    expect(member.counts('a')).toEqual({ replicas: 5, ready: 5 });
    expect([member.unschedulable('a', 0), member.capacityFor(undefined)]).toEqual([0, 4]);
    expect(member.summary().allocatable).toEqual({ cpu: '9', memory: '36Gi', pods: '9' });
  });
});
