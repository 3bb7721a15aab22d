import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LocalTelemetry } from '../../local/telemetry.ts';
import { createVirtualClock } from '../../local/virtual-clock.ts';
import { logCodes } from '../../shared/core/log-codes.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'evenkeel-telemetry-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const clock = createVirtualClock('2026-11-21T10:00:00Z');
const all = { about: [{ hub: 'a' }], since: 0, limit: 100_000 };

describe('the log of a local run', () => {
  it('has one line of JSON for each outcome', () => {
    const file = join(folder, 'evenkeel.log');
    const telemetry = new LocalTelemetry(clock, file);
    telemetry.outcome('EK000', { hub: 'a', reason: 'done' });
    telemetry.outcome('EK000', { hub: 'b', reason: 'done' });
    const lines = readFileSync(file, 'utf8').split('\n');
    expect(lines.map((line) => (line === '' ? undefined : (JSON.parse(line) as object)))).toEqual([
      {
        time: '2026-11-21T10:00:00.000Z',
        code: 'EK000',
        message: logCodes.EK000.description,
        hub: 'a',
        reason: 'done',
      },
      {
        time: '2026-11-21T10:00:00.000Z',
        code: 'EK000',
        message: logCodes.EK000.description,
        hub: 'b',
        reason: 'done',
      },
      undefined,
    ]);
  });

  it('has the outcomes and what the functions count, for Prometheus', () => {
    const telemetry = new LocalTelemetry(clock);
    telemetry.outcome('EK000', { hub: 'a' });
    telemetry.outcome('EK000', { hub: 'b' });
    telemetry.count('ReplicasDescheduled', 3, { hub: 'a' });
    telemetry.count('HookRejected', 1);
    const samples = telemetry
      .prometheus()
      .split('\n')
      .filter((line) => line.startsWith('evenkeel'));
    expect(samples).toEqual([
      'evenkeel_outcomes_total{code="EK000",level="info"} 2',
      'evenkeel_replicas_descheduled_total{hub="a"} 3',
      'evenkeel_hook_rejected_total 1',
    ]);
  });

  it('passes each outcome to every listener until the listener leaves', () => {
    const telemetry = new LocalTelemetry(clock);
    const outcomes: unknown[] = [];
    const leave = telemetry.listen((code, { hub }) => outcomes.push([code, hub]));
    telemetry.outcome('EK000', { hub: 'a' });
    leave();
    telemetry.outcome('EK000', { hub: 'b' });
    expect(outcomes).toEqual([['EK000', 'a']]);
  });

  it('keeps 20,000 lines in memory, and drops the older half if there are more', async () => {
    const telemetry = new LocalTelemetry(clock);
    for (let line = 0; line < 20_000; line++) telemetry.outcome('EK000', { hub: 'a', line });
    expect(await telemetry.lines(all)).toHaveLength(20_000);
    telemetry.outcome('EK000', { hub: 'a', line: 20_000 });
    const kept = await telemetry.lines(all);
    expect([kept.length, kept[0], kept.at(-1)]).toEqual([
      10_001,
      { at: clock.now(), code: 'EK000', fields: { hub: 'a', line: 20_000 } },
      { at: clock.now(), code: 'EK000', fields: { hub: 'a', line: 10_000 } },
    ]);
  });

  it('throws the error in the function if its folder is missing', () => {
    const telemetry = new LocalTelemetry(clock, join(folder, 'missing', 'evenkeel.log'));
    expect(() => telemetry.outcome('EK000', { hub: 'a' })).toThrow('ENOENT');
  });

  it.runIf(existsSync('/dev/full'))('throws the error of a full disk outside of the function', () => {
    const nextTick = vi.spyOn(process, 'nextTick').mockReturnValue(undefined);
    new LocalTelemetry(clock, '/dev/full').outcome('EK000', { hub: 'a' });
    const { calls } = nextTick.mock;
    // At once: the test runner itself needs it.
    nextTick.mockRestore();
    expect(calls).toHaveLength(1);
    expect(calls[0]?.[0]).toThrow('ENOSPC');
  });
});
