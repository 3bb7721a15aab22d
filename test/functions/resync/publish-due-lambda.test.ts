/** The function that publishes the recurring events of hubs, on a registry and a task store in memory. */
import { describe, expect, it } from 'vitest';
import { task } from '../../../functions/resync/publish-due.lambda.ts';
import type { EvenkeelEvent } from '../../../shared/bus/event.ts';
import { Fault } from '../../../shared/core/fault.ts';
import type { Outcome } from '../../../shared/core/invocation.ts';
import { parseSettings } from '../../../shared/core/settings.ts';
import type { Instant } from '../../../shared/core/time.ts';
import type { NewHubRecord } from '../../../shared/kubernetes/hub-registry.ts';
import { at } from '../../builders.ts';
import { MemoryHubRegistry } from '../../fakes/stores/memory-hub-registry.ts';
import { MemoryTaskStore } from '../../fakes/stores/memory-task-store.ts';
import { recording } from '../../fakes/telemetry.ts';

const MINUTE = 60;
const settings = parseSettings({ resyncMinutes: 5 });

function record(name: string, more: Partial<NewHubRecord> = {}): NewHubRecord {
  const callers = { tokenDigests: [], reviewKeyDigests: [], subjects: [] };
  return { name, state: 'Active', features: [], server: 'https://hub.example', callers, ...more };
}

class Scene {
  readonly registry = new MemoryHubRegistry();
  readonly tasks = new MemoryTaskStore();
  readonly published: EvenkeelEvent[] = [];
  readonly counts: string[] = [];
  publishing: () => Promise<void> = async () => undefined;

  run(now: Instant): Promise<Outcome> {
    const telemetry = {
      ...recording([]),
      count: (metric: string, value: number, { hub = '' }: Readonly<Record<string, string>> = {}) =>
        void this.counts.push([metric, ...(hub === '' ? [] : [hub]), value].join(' ')),
    };
    const bus = {
      publish: async (events: readonly EvenkeelEvent[]) => {
        await this.publishing();
        this.published.push(...events);
      },
    };
    const context = {
      settings,
      telemetry,
      now: () => now,
      newId: () => 'id',
      timeLeft: () => Number.POSITIVE_INFINITY,
    };
    return task.run({}, { ...context, registry: this.registry, tasks: this.tasks, bus }, new Set());
  }
}

async function sceneOf(...records: readonly NewHubRecord[]): Promise<Scene> {
  const scene = new Scene();
  for (const each of records) await scene.registry.write(each, 0);
  return scene;
}

describe('publish-due', () => {
  it('publishes each resync of a hub once, minute by minute', async () => {
    const scene = await sceneOf(record('karmada'));
    await scene.registry.markPublished(undefined, at(0));
    for (let minute = 1; minute <= 60; minute += 1) await scene.run(at(minute * MINUTE));
    expect(scene.published.filter(({ type }) => type === 'ResyncDue').length).toBe(12);
    expect(await scene.registry.publishedUntil()).toBe(at(3600));
  });

  it('publishes before it marks: events that were not accepted are published again', async () => {
    const scene = await sceneOf(record('karmada'));
    scene.publishing = async () => {
      throw new Fault('retryable', 'the bus does not answer', { reason: 'Timeout' });
    };
    await expect(scene.run(at(0))).rejects.toThrow('the bus does not answer');
    expect(await scene.registry.publishedUntil()).toBeUndefined();
    expect(scene.counts).toEqual([]);
    scene.publishing = async () => undefined;
    await scene.run(at(MINUTE));
    expect(scene.published.map(({ type }) => type)).toEqual(['ResyncDue', 'DeschedulingDue', 'HubTokenCheckDue']);
  });

  it('succeeds if another invocation published the window meanwhile', async () => {
    const scene = await sceneOf(record('karmada'));
    scene.publishing = async () => void (await scene.registry.markPublished(undefined, at(1)));
    expect((await scene.run(at(0))).reason).toBe('another invocation published it too');
    expect(await scene.registry.publishedUntil()).toBe(at(1));
  });

  it('publishes nothing if a later time is published, and keeps that time', async () => {
    const scene = await sceneOf(record('karmada'));
    await scene.registry.markPublished(undefined, at(MINUTE));
    expect((await scene.run(at(0))).reason).toBe('everything is published up to a later time');
    expect(scene.published).toEqual([]);
    expect(await scene.registry.publishedUntil()).toBe(at(MINUTE));
  });

  it('counts that it ran, also without a hub', async () => {
    const scene = await sceneOf();
    await scene.run(at(0));
    expect(scene.counts).toEqual(['SchedulesPublished 1']);
  });
});

describe('a silent hub', () => {
  /** Runs every minute of an hour; the other hubs are compared whenever they are due. */
  async function hour(silent: string, others: readonly string[]): Promise<Scene> {
    const scene = await sceneOf(...[silent, ...others].map((name) => record(name)));
    await scene.registry.markPublished(undefined, at(0));
    for (const name of [silent, ...others]) await scene.tasks.markCompared(name, at(0));
    for (let minute = 1; minute <= 60; minute += 1) {
      const before = scene.published.length;
      await scene.run(at(minute * MINUTE));
      for (const { type, detail } of scene.published.slice(before))
        if (type === 'ResyncDue' && detail.hub !== silent)
          await scene.tasks.markCompared(String(detail.hub), at(minute * MINUTE));
    }
    return scene;
  }

  const silentOnes = ({ counts }: Scene) => counts.filter((count) => count.startsWith('HubsNotCompared'));

  it('is counted at each of its resyncs, once three intervals have passed, and no other hub is', async () => {
    const others = Array.from({ length: 20 }, (_, i) => `hub-${i}`);
    const counted = silentOnes(await hour('edge', others));
    expect(new Set(counted)).toEqual(new Set(['HubsNotCompared edge 1']));
    // 12 resyncs are due in the hour, of which those of the first 15 minutes, at most 4 with a minute's delay, do not count.
    expect(counted.length).toBeGreaterThanOrEqual(8);
    expect(counted.length).toBeLessThanOrEqual(9);
  });

  it('is counted if it was never compared', async () => {
    const scene = await sceneOf(record('edge'));
    await scene.registry.markPublished(undefined, at(0));
    await scene.run(at(5 * MINUTE));
    expect(silentOnes(scene)).toEqual(['HubsNotCompared edge 1']);
    expect(scene.counts).toContain('ComparisonsLate 1');
  });

  it('is not counted while it is paused, or is being removed', async () => {
    const pause = { since: at(0), reason: 'maintenance' };
    const scene = await sceneOf(record('edge', { pause }), record('old', { state: 'Removing' }));
    await scene.registry.markPublished(undefined, at(0));
    for (let minute = 1; minute <= 60; minute += 1) await scene.run(at(minute * MINUTE));
    expect(silentOnes(scene)).toEqual([]);
  });

  it('is not counted for a time in which nothing was published', async () => {
    const scene = await sceneOf(record('edge'));
    await scene.registry.markPublished(undefined, at(0));
    await scene.tasks.markCompared('edge', at(0));
    await scene.run(at(24 * 3600));
    expect(silentOnes(scene)).toEqual([]);
  });
});
