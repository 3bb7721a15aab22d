import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { RigFailure } from '../failure.ts';
import { abandonedRigs, nameOfProcess, Rig } from '../rig.ts';
import { collected } from './collected.ts';

const names = [`test-${process.pid}-a`, `test-${process.pid}-b`] as const;

afterEach(async () => {
  for (const name of names) await new Rig(name).down();
});

describe('a rig', () => {
  it('has the same port for a purpose each time, and never one of another rig', async () => {
    const [a, b] = [new Rig(names[0]), new Rig(names[1])];
    const ports = await Promise.all([a.port('etcd'), b.port('etcd'), a.port('hub'), b.port('hub')]);
    expect(new Set(ports).size).toBe(4);
    expect(await new Rig(names[0]).port('etcd')).toBe(ports[0]);
  });

  it('takes no port on which another process listens', async () => {
    const first = await new Rig(names[0]).port('etcd');
    await new Rig(names[0]).down();
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(first, '127.0.0.1', resolve));
    expect(await new Rig(names[0]).port('etcd')).not.toBe(first);
    await new Promise((resolve) => server.close(resolve));
  });

  it('reserves consecutive ports on request, and no other purpose or rig gets one of them', async () => {
    const [a, b] = [new Rig(names[0]), new Rig(names[1])];
    const hook = await a.port('hook', 1);
    const others = [await a.port('etcd'), await b.port('etcd'), await b.port('hook', 1)];
    expect(others).not.toContain(hook);
    expect(others).not.toContain(hook + 1);
  });

  it('runs a one-time action once, and again after a failure', async () => {
    let attempts = 0;
    const act = async () => {
      attempts += 1;
      if (attempts === 1) throw new Error('not yet');
    };
    await expect(new Rig(names[0]).once('crds', act)).rejects.toThrow('not yet');
    await new Rig(names[0]).once('crds', act);
    await new Rig(names[0]).once('crds', act);
    expect(attempts).toBe(2);
  });

  it('leaves no process and no folder after down', async () => {
    const rig = new Rig(names[0]);
    await rig.start({
      name: 'one',
      command: [process.execPath, '-e', 'setInterval(() => {}, 1000)'],
      ready: async () => {},
    });
    const pid = rig.processes.pid('one') ?? 0;
    await rig.down();
    await collected(pid);
    expect(existsSync(rig.folder)).toBe(false);
  });

  it('is abandoned if its suite was killed; a rig of a running process or of a user is not', async () => {
    const ended = nameOfProcess(spawnSync(process.execPath, ['-e', '']).pid);
    const alive = nameOfProcess(process.pid);
    for (const name of [ended, `${ended}-beside`, alive, names[0]]) new Rig(name);
    const abandoned = abandonedRigs().filter(({ name }) => [ended, `${ended}-beside`, alive, ...names].includes(name));
    expect(abandoned.map(({ name }) => name)).toEqual([ended, `${ended}-beside`]);
    for (const name of [ended, `${ended}-beside`, alive]) await new Rig(name).down();
  });

  it('rejects a name that is no folder name', () => {
    expect(() => new Rig('../etc')).toThrow(RigFailure);
  });
});
