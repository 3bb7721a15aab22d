import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Processes } from '../processes.ts';

let folder = '';
let processes: Processes;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'evenkeel-rig-test-'));
  processes = new Processes(folder);
});

afterEach(async () => {
  for (const name of processes.names) await processes.stop(name, 'SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

function node(script: string): [string, ...string[]] {
  return [process.execPath, '-e', script];
}

const STAYS = 'console.log("here I am"); setInterval(() => {}, 1000)';

/** Ready when it has said so. */
function said(name: string, text: string): () => Promise<void> {
  return async () => {
    if (!processes.log(name).includes(text)) throw new Error(`it has not said ${text}`);
  };
}

describe('a process of a rig', () => {
  it('is started once, however often it is asked for', async () => {
    const spec = { name: 'one', command: node(STAYS), ready: said('one', 'here I am') };
    await processes.start(spec);
    const pid = processes.pid('one');
    await processes.start(spec);
    expect(processes.pid('one')).toBe(pid);
    expect(processes.log('one')).toBe('here I am\n');
  });

  it('is known and ended by another command', async () => {
    await processes.start({ name: 'one', command: node(STAYS), ready: said('one', 'here I am') });
    const pid = processes.pid('one') ?? 0;
    await new Processes(folder).stop('one');
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    expect(processes.names).toEqual([]);
  });

  it('is made to end where it does not want to', async () => {
    const stubborn = `process.on('SIGTERM', () => {}); ${STAYS}`;
    const patient = new Processes(folder, { stopWithinMs: 300 });
    await patient.start({ name: 'one', command: node(stubborn), ready: said('one', 'here I am') });
    await patient.stop('one');
    expect(patient.pid('one')).toBeUndefined();
  });

  it('that ends before it is ready fails at once, with the end of its log', async () => {
    const failing = {
      name: 'one',
      command: node('console.error("no such flag"); process.exit(3)'),
      ready: said('one', 'never'),
    };
    await expect(processes.start(failing)).rejects.toThrow(/one ended; the end of its log:\nno such flag/);
  });

  it('that does not get ready in time fails with the end of its log', async () => {
    const slow = { name: 'one', command: node(STAYS), ready: said('one', 'ready'), readyWithinMs: 700 };
    await expect(processes.start(slow)).rejects.toThrow(
      /one is not ready after 0.7 s \(it has not said ready\).*here I am/s,
    );
  });

  it('that can not be started at all says so', async () => {
    const absent = { name: 'one', command: ['/nowhere/etcd'] as const, ready: async () => {} };
    await expect(processes.start(absent)).rejects.toThrow('one: /nowhere/etcd does not start');
  });

  it('with a pid that now belongs to another is not taken for it, and not ended', async () => {
    await processes.start({ name: 'one', command: node(STAYS), ready: said('one', 'here I am') });
    const pid = processes.pid('one') ?? 0;
    writeFileSync(join(folder, 'two.pid.json'), JSON.stringify({ pid, startedAt: '1', order: 9 }));
    expect(processes.pid('two')).toBeUndefined();
    await processes.stop('two');
    expect(processes.pid('one')).toBe(pid);
  });

  it('is listed in the order of its start', async () => {
    for (const name of ['zeta', 'alpha']) {
      await processes.start({ name, command: node(STAYS), ready: said(name, 'here I am') });
    }
    expect(processes.names).toEqual(['zeta', 'alpha']);
  });
});
