/** The assumptions of the stories about the fleet. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Fleet, startFleet } from './fleet.ts';

describe('a fleet', () => {
  let fleet: Fleet;
  beforeAll(async () => {
    fleet = await startFleet();
  });
  afterAll(() => fleet.close());

  const pids = () => fleet.rig.processes.names.map((name) => [name, fleet.rig.processes.pid(name)]);

  it('that is up is not restarted by another start', async () => {
    const before = pids();
    const again = await startFleet();
    again.close();
    expect(pids()).toEqual(before);
  });

  it('listens on loopback addresses only', () => {
    const listening = fleet.rig.processes.names.flatMap((name) =>
      listeners(fleet.rig.processes.pid(name) ?? 0).map((address) => `${name} ${address}`),
    );
    expect(listening.filter((line) => !/ 127\.0\.0\.\d+$/.test(line))).toEqual([]);
    expect(new Set(listening)).toContain('karmada-webhook 127.0.0.1');
  });
});

const LISTEN = '0A';

/** The addresses on which a process listens, from /proc. */
function listeners(pid: number): readonly string[] {
  const folder = `/proc/${pid}/fd`;
  const sockets = new Set(readdirSync(folder).map((fd) => /^socket:\[(\d+)\]$/.exec(linkOf(`${folder}/${fd}`))?.[1]));
  return ['tcp', 'tcp6'].flatMap((family) => {
    const rows = readFileSync(`/proc/${pid}/net/${family}`, 'utf8').trim().split('\n').slice(1);
    return rows.flatMap((row) => {
      const [, local = '', , state, , , , , , inode] = row.trim().split(/\s+/);
      return state === LISTEN && sockets.has(inode) ? [address(local)] : [];
    });
  });
}

function linkOf(file: string): string {
  try {
    return readlinkSync(file);
  } catch {
    return '';
  }
}

/** "0100007F:1F90" is 127.0.0.1 with its bytes in host order; a longer address is IPv6. */
function address(local: string): string {
  const hex = local.split(':')[0] ?? '';
  if (hex.length !== 8) return hex;
  return [...Buffer.from(hex, 'hex')].reverse().join('.');
}
