import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Processes } from '../processes.ts';
import { collected } from './collected.ts';

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

/** Ready when its log contains the text. */
function logged(name: string, text: string): () => Promise<void> {
  return async () => {
    if (!processes.log(name).includes(text)) throw new Error(`its log does not contain ${text}`);
  };
}

describe('a process of a rig', () => {
  it('is started once by repeated calls of start', async () => {
    const spec = { name: 'one', command: node(STAYS), ready: logged('one', 'here I am') };
    await processes.start(spec);
    const pid = processes.pid('one');
    await processes.start(spec);
    expect(processes.pid('one')).toBe(pid);
    expect(processes.log('one')).toBe('here I am\n');
  });

  it('is found and ended by another command', async () => {
    await processes.start({ name: 'one', command: node(STAYS), ready: logged('one', 'here I am') });
    const pid = processes.pid('one') ?? 0;
    await new Processes(folder).stop('one');
    await collected(pid);
    expect(processes.names).toEqual([]);
  });

  it('is killed if it ignores SIGTERM', async () => {
    const stubborn = `process.on('SIGTERM', () => {}); ${STAYS}`;
    const impatient = new Processes(folder, { stopWithinMs: 300 });
    await impatient.start({ name: 'one', command: node(stubborn), ready: logged('one', 'here I am') });
    await impatient.stop('one');
    expect(impatient.pid('one')).toBeUndefined();
  });

  it('that ends before it is ready fails at once, with the end of its log', async () => {
    const failing = {
      name: 'one',
      command: node('console.error("no such flag"); process.exit(3)'),
      ready: logged('one', 'never'),
    };
    await expect(processes.start(failing)).rejects.toThrow(/one ended; the end of its log:\nno such flag/);
  });

  it('that is not ready in time fails with the end of its log', async () => {
    const slow = { name: 'one', command: node(STAYS), ready: logged('one', 'ready'), readyWithinMs: 700 };
    await expect(processes.start(slow)).rejects.toThrow(
      /one is not ready after 0.7 s \(its log does not contain ready\).*here I am/s,
    );
  });

  it('that cannot be started fails with its name and command', async () => {
    const absent = { name: 'one', command: ['/nowhere/etcd'] as const, ready: async () => {} };
    await expect(processes.start(absent)).rejects.toThrow('one: /nowhere/etcd does not start');
  });

  it('is not confused with a later process of the same pid, which is not ended', async () => {
    await processes.start({ name: 'one', command: node(STAYS), ready: logged('one', 'here I am') });
    const pid = processes.pid('one') ?? 0;
    writeFileSync(join(folder, 'two.pid.json'), JSON.stringify({ pid, startedAt: '1', order: 9 }));
    expect(processes.pid('two')).toBeUndefined();
    await processes.stop('two');
    expect(processes.pid('one')).toBe(pid);
  });

  it('is listed in the order of its start', async () => {
    for (const name of ['zeta', 'alpha']) {
      await processes.start({ name, command: node(STAYS), ready: logged(name, 'here I am') });
    }
    expect(processes.names).toEqual(['zeta', 'alpha']);
  });
});
