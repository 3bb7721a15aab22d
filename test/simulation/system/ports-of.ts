/** The table, bus, queue and schedules of an instance: each call is an effect. */
import type { LocalQueue } from '../../../local/queue.ts';
import { type EvenkeelEvent } from '../../../shared/bus/event.ts';
import type { EventBus } from '../../../shared/bus/event-bus.ts';
import type { OneTimeSchedule } from '../../../shared/bus/one-time-schedule.ts';
import type { SourceQueue } from '../../../shared/bus/source-queue.ts';
import { Fault } from '../../../shared/core/fault.ts';
import type { ClusterEstimator } from '../../../shared/estimator/estimator.ts';
import type { FaultKind } from '../injected-fault.ts';
import type { Instance } from './instance.ts';

/** Every method of a store is one request to the table. The stores return copies. */
export function throughNetwork<T extends object>(instance: Instance, name: string, current: () => T): T {
  const call =
    (method: string) =>
    (...args: readonly unknown[]) =>
      instance.effect(`${name}.${method}`, ['throttled', 'reply lost'], async (injected) => {
        if (injected === 'throttled') throw rejected(name);
        const store = current() as Record<string, (...args: readonly unknown[]) => Promise<unknown>>;
        const answer = await store[method]?.apply(store, [...args]);
        if (injected === 'reply lost') throw rejected(name);
        return answer;
      });
  // An object with `then` counts as a promise.
  return new Proxy({} as T, { get: (_, method: string) => (method === 'then' ? undefined : call(method)) });
}

export function busOf(instance: Instance, carry: (events: readonly EvenkeelEvent[], from: string) => void): EventBus {
  const may: readonly FaultKind[] = ['throttled', 'partly taken', 'reply lost'];
  return {
    async publish(events) {
      if (events.length === 0) return;
      const what = `publish ${events[0]?.type ?? ''}`;
      await instance.effect(what, may, (injected, name) => {
        if (injected === 'throttled') throw rejected('bus');
        carry(injected === 'partly taken' ? events.slice(0, Math.floor(events.length / 2)) : events, name);
        if (injected === 'partly taken' || injected === 'reply lost') throw rejected('bus');
      });
    },
  };
}

export function scheduleOf(instance: Instance, schedule: OneTimeSchedule): OneTimeSchedule {
  return {
    put: (name, at, event) =>
      instance.effect(`schedule ${event.type}`, ['throttled', 'reply lost'], async (injected) => {
        if (injected === 'throttled') throw rejected('schedule');
        await schedule.put(name, at, event);
        if (injected === 'reply lost') throw rejected('schedule');
      }),
  };
}

/** The queue of a function. */
export function sourceOf(instance: Instance, queue: LocalQueue): SourceQueue {
  const may = ['throttled', 'reply lost'] as const;
  const reject = (injected: string | undefined) => {
    if (injected !== undefined) throw new Error(`the queue: ${injected}`);
  };
  return {
    maxReceives: queue.maxReceives,
    deadLetter: (message, fault) =>
      instance.effect('deadLetter', may, async (injected) => {
        if (injected !== 'throttled') await queue.deadLetter(message, fault);
        reject(injected);
      }),
    deliverAgain: (message, seconds) =>
      instance.effect('deliverAgain', may, async (injected) => {
        if (injected !== 'throttled') await queue.deliverAgain(message, seconds);
        reject(injected);
      }),
    sendAgain: (message, hub, seconds) =>
      instance.effect('sendAgain', may, async (injected) => {
        if (injected !== 'throttled') await queue.sendAgain(message, hub, seconds);
        reject(injected);
      }),
  };
}

/** An estimator with faults: timeouts, impossible values and exaggerated values. `onAnswer` gets every plausible value. */
export function estimatorOf(
  instance: Instance,
  estimator: ClusterEstimator,
  onAnswer: (cluster: string, workload: string, count: number) => void,
): ClusterEstimator {
  const silent = (what: string) => new Fault('retryable', `${what}: no answer in time`, { reason: 'EstimatorSilent' });
  return {
    unschedulableReplicas(cluster, workload, seconds) {
      const what = `ask ${cluster} about ${workload.name}`;
      return instance.effect(what, ['silent', 'rubbish', 'exaggerated'], async (injected) => {
        if (injected === 'silent') throw silent(what);
        if (injected === 'rubbish') return 1_000_000;
        const count = await estimator.unschedulableReplicas(cluster, workload, seconds);
        const answer = injected === 'exaggerated' ? count + 2 : count;
        onAnswer(cluster, workload.name, answer);
        return answer;
      });
    },
    maxAvailableReplicas(cluster, requirements) {
      const what = `ask ${cluster} for room`;
      return instance.effect(what, ['silent'], async (injected) => {
        if (injected === 'silent') throw silent(what);
        return estimator.maxAvailableReplicas(cluster, requirements);
      });
    },
  };
}

function rejected(what: string): Fault {
  return new Fault('limited', `${what}: rate exceeded`, { reason: 'ThrottlingException' });
}
