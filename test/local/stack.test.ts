/** The stack of a local run: a real table and hook, a hub in memory, virtual time. */
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { localConnections } from '../../local/local-connections.ts';
import { LocalHubs } from '../../local/local-hubs.ts';
import { localRegistry } from '../../local/local-registry.ts';
import { createObjectStore } from '../../local/practice-hub/store/object-store.ts';
import { type LocalStack, startStack } from '../../local/stack.ts';
import { createVirtualClock, type VirtualClock } from '../../local/virtual-clock.ts';
import { RebalancerExpiryDue } from '../../shared/bus/catalogue.ts';
import { Fault } from '../../shared/core/fault.ts';
import { parseSettings } from '../../shared/core/settings.ts';
import type { Hub } from '../../shared/kubernetes/hub.ts';
import { StoreHub } from '../fakes/store-hub.ts';

let folder = '';
let clock: VirtualClock;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'evenkeel-stack-'));
  clock = createVirtualClock('2026-11-21T10:00:00Z');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const MINUTE = 60_000;
/** Timeout for a response of the table; a passing test waits for nothing else. */

interface Scene {
  readonly stack: LocalStack;
  /** "EK000 ResyncDue", in order. */
  readonly log: string[];
  /** The number of events of the two schedules that functions have consumed, with or without success. */
  readonly consumed: () => { ResyncDue: number; DeschedulingDue: number };
}

async function start(over: { readonly hooksPort?: number; readonly opened?: Promise<void> } = {}): Promise<Scene> {
  let made = 0;
  const hub = new StoreHub('karmada', createObjectStore({ now: () => clock.now(), newUid: () => `uid-${made++}` }));
  const hubs = new (class extends LocalHubs {
    override async connect(name: string): Promise<Hub> {
      await over.opened;
      if (name === 'elsewhere') throw new Fault('terminal', 'its secret is empty', { reason: 'InvalidConnection' });
      return super.connect(name);
    }
  })('karmada', ['hook-token']);
  hubs.opened(hub);
  const stack = await startStack({
    folder,
    hooksPort: over.hooksPort ?? 0,
    hubs,
    connections: localConnections(hubs),
    registry: localRegistry(hubs),
    estimators: { of: async () => undefined },
    settings: parseSettings({ resyncMinutes: 5, deschedulingMinutes: 2 }),
    clock,
    newId: () => `id-${made++}`,
  });
  onTestFinished(() => stack.close());
  const log: string[] = [];
  const ids = { ResyncDue: new Set(), DeschedulingDue: new Set() };
  stack.telemetry.listen((code, { event, eventId }) => {
    log.push(`${code} ${String(event)}`);
    if (event === 'ResyncDue' || event === 'DeschedulingDue') ids[event].add(eventId);
  });
  const consumed = () => ({ ResyncDue: ids.ResyncDue.size, DeschedulingDue: ids.DeschedulingDue.size });
  return { stack, log, consumed };
}

const inFolder = (name: string) => join(folder, name);

describe('the stack of a local run', () => {
  it('compares and deschedules a hub at once, and then by their schedules', async () => {
    const { stack, consumed } = await start();
    await stack.resync('karmada');
    expect(stack.due()).toBeGreaterThan(0);
    await expect.poll(consumed).toEqual({ ResyncDue: 1, DeschedulingDue: 1 });
    await expect.poll(() => stack.tasks.comparedAt('karmada')).toBe(clock.now());
    clock.advance(2 * MINUTE);
    await expect.poll(consumed).toEqual({ ResyncDue: 1, DeschedulingDue: 2 });
    clock.advance(3 * MINUTE - 1);
    await expect.poll(consumed).toEqual({ ResyncDue: 1, DeschedulingDue: 3 });
    clock.advance(1);
    await expect.poll(consumed).toEqual({ ResyncDue: 2, DeschedulingDue: 3 });
  });

  it('only deschedules a hub if only that is requested', async () => {
    const { stack, log } = await start();
    await stack.deschedule('karmada');
    expect(stack.due()).toBe(1);
    await expect.poll(() => log).toEqual(['EK000 DeschedulingDue']);
  });

  it('reconciles each rebalancer when it is resumed, and keeps dead-letter messages and the log in its folder', async () => {
    const { stack } = await start();
    await stack.resume('elsewhere', ['a', 'b']);
    await expect.poll(() => stack.deadLetters.length).toBe(2);
    const bodies = stack.deadLetters.map(({ body }) => JSON.parse(body) as { detail: object });
    expect(bodies.map(({ detail }) => detail)).toMatchObject([
      { hub: 'elsewhere', name: 'a' },
      { hub: 'elsewhere', name: 'b' },
    ]);
    expect(stack.deadLetters.map(({ queue, reason }) => [queue, reason])).toEqual([
      ['plan-rebalance', 'InvalidConnection'],
      ['plan-rebalance', 'InvalidConnection'],
    ]);
    expect(readFileSync(inFolder('dead-letters.jsonl'), 'utf8').trim().split('\n')).toHaveLength(2);
    expect(readFileSync(inFolder('evenkeel.log'), 'utf8')).toContain('InvalidConnection');
    expect(existsSync(inFolder('table'))).toBe(true);
  });

  it('answers API requests from its table', async () => {
    const { stack } = await start();
    expect(await stack.answerers.query?.({ operation: 'listTasks', input: { hub: 'karmada' } })).toEqual({
      answer: { tasks: [] },
    });
    expect(await stack.descheduling.decisions('karmada', 1)).toEqual([]);
    expect(await stack.policies.runs('karmada', 1)).toEqual([]);
  });

  it('fires a schedule of an earlier run', async () => {
    const event = RebalancerExpiryDue.of({ hub: 'elsewhere', uid: 'u', name: 'demo' });
    writeFileSync(inFolder('schedules.json'), JSON.stringify([['a', { at: clock.now() + 1000, event }]]));
    const { stack } = await start();
    clock.advance(1000);
    await expect.poll(() => stack.deadLetters.map(({ queue }) => queue)).toEqual(['expire']);
  });
});

describe('the stack of a local run that ends', () => {
  it('closes its hook, and releases the table for the next run', async () => {
    const { stack } = await start();
    expect((await fetch(`${stack.hook.url}/hubs/karmada/audit`, { method: 'POST', body: '{}' })).status).toBe(401);
    await stack.close();
    await expect(fetch(`${stack.hook.url}/hubs/karmada/audit`, { method: 'POST', body: '{}' })).rejects.toThrow();
    expect(await (await start()).stack.tasks.comparedAt('karmada')).toBeUndefined();
  });

  it('keeps its schedules for the next run', async () => {
    const event = RebalancerExpiryDue.of({ hub: 'karmada', uid: 'u', name: 'demo' });
    const kept = JSON.stringify([['a', { at: clock.now() + 1000, event }]]);
    writeFileSync(inFolder('schedules.json'), kept);
    const { stack } = await start();
    await stack.close();
    clock.advance(1000);
    await new Promise((resolve) => setImmediate(resolve));
    expect(readFileSync(inFolder('schedules.json'), 'utf8')).toBe(kept);
  });

  it('leaves no timer', async () => {
    const { stack, consumed } = await start();
    await stack.resync('karmada');
    await expect.poll(consumed).toEqual({ ResyncDue: 1, DeschedulingDue: 1 });
    await stack.close();
    expect(clock.step(Number.MAX_SAFE_INTEGER)).toBe(false);
  });

  it('waits for running functions before it closes the table', async () => {
    const gate = Promise.withResolvers<void>();
    const { stack, log } = await start({ opened: gate.promise });
    await stack.resync('karmada');
    const closing = stack.close();
    gate.resolve();
    await closing;
    expect(new Set(log)).toEqual(new Set(['EK000 DeschedulingDue', 'EK000 ResyncDue']));
  });

  it('closes what it started if its hook cannot listen', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    await expect(start({ hooksPort: (other.address() as AddressInfo).port })).rejects.toThrow('EADDRINUSE');
    other.close();
    expect((await start()).stack.due()).toBe(0);
  });
});
