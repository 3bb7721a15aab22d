/** Bridges that share a lease, on virtual time. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { BridgeLease } from '../../bridge/decide-lease.ts';
import { type LeaseStore, leadWhile } from '../../bridge/lead.ts';
import { createVirtualClock, type VirtualClock } from '../../local/virtual-clock.ts';
import { type Line, recording } from '../fakes/telemetry.ts';

let clock: VirtualClock;
let lease: BridgeLease | undefined;
let away: boolean;
/** Whether another client writes the lease before each of our writes. */
let contended: boolean;
/** How long each request to the hub takes. */
let requestMs: { read: number; write: number };
/** Who worked when: "+a" began, "-a" ended. */
let worked: string[];
let lines: Line[];

beforeEach(() => {
  clock = createVirtualClock('2026-11-21T10:00:00Z');
  [lease, away, contended, worked, lines] = [undefined, false, false, [], []];
  requestMs = { read: 0, write: 0 };
});

const store: LeaseStore = {
  read: async () => {
    await passed(requestMs.read);
    if (away) throw new Error('the hub is away');
    return lease;
  },
  write: async ({ holder, durationSeconds, transitions, resourceVersion }) => {
    await passed(requestMs.write);
    if (away) throw new Error('the hub is away');
    if (contended || resourceVersion !== lease?.resourceVersion) return false;
    const next = String(Number(resourceVersion ?? 0) + 1);
    lease = { holder, durationSeconds, transitions, renewTime: String(clock.now()), resourceVersion: next };
    return true;
  },
};

async function passed(ms: number): Promise<void> {
  if (ms > 0) await new Promise<void>((resolve) => void clock.after(ms, resolve));
}

function bridge(me: string, signal: AbortSignal): Promise<void> {
  const wait = (ms: number, until: AbortSignal) =>
    new Promise<void>((resolve) => {
      if (until.aborted) return resolve();
      const cancel = clock.after(ms, resolve);
      until.addEventListener('abort', () => {
        cancel();
        resolve();
      });
    });
  const work = (term: AbortSignal) =>
    new Promise<void>((resolve) => {
      worked.push(`+${me}`);
      term.addEventListener('abort', () => {
        worked.push(`-${me}`);
        resolve();
      });
    });
  return leadWhile(
    { me, hub: 'karmada', store, telemetry: recording(lines), now: () => clock.now(), wait },
    work,
    signal,
  );
}

/** Runs what is due in that time, and lets what it brings forth happen in between. */
async function advance(ms: number): Promise<void> {
  const end = clock.now() + ms;
  do await settled();
  while (clock.step(end));
  clock.advance(end - clock.now());
  await settled();
}

async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** Which bridge leads, by the log, and why. */
const leaders = () => lines.filter(({ code }) => code === 'EK403').map(({ fields }) => [fields.leader, fields.reason]);

describe('of several bridges', () => {
  it('one works, and the next when the first lets go', async () => {
    const [first, second] = [new AbortController(), new AbortController()];
    const ended = bridge('a', first.signal);
    await advance(1000);
    void bridge('b', second.signal);
    await advance(60_000);
    expect(worked).toEqual(['+a']);
    first.abort();
    await ended;
    expect(lease?.holder).toBe('');
    expect(leaders()).toEqual([['a', 'the lease does not exist yet']]);
    await advance(4000);
    expect(worked).toEqual(['+a', '-a', '+b']);
    expect(lease).toMatchObject({ holder: 'b', transitions: 1, durationSeconds: 15 });
    expect(leaders().at(-1)).toEqual(['b', 'its holder released it']);
    second.abort();
  });

  it('one that cannot renew stops before another may begin', async () => {
    const stop = new AbortController();
    void bridge('a', stop.signal);
    await advance(1000);
    away = true;
    await advance(9000);
    expect(worked).toEqual(['+a']);
    await advance(5000);
    expect(worked).toEqual(['+a', '-a']);
    expect(leaders().at(-1)).toEqual(['', 'it could not be renewed']);
    const failure = { hub: 'karmada', reason: 'Unclassified', error: 'Error: the hub is away' };
    expect(lines.find(({ code }) => code === 'EK402')?.fields).toEqual(failure);
    away = false;
    await advance(4000);
    expect(worked).toEqual(['+a', '-a', '+a']);
    stop.abort();
  });

  it('a bridge stops at once if another took its lease', async () => {
    const stop = new AbortController();
    void bridge('a', stop.signal);
    await advance(1000);
    lease = { ...(lease as BridgeLease), holder: 'thief', renewTime: 'x', resourceVersion: '99' };
    await advance(3000);
    expect(worked).toEqual(['+a', '-a']);
    expect(leaders().at(-1)).toEqual(['', 'another bridge holds it']);
    await advance(20_000);
    expect(worked).toEqual(['+a', '-a', '+a']);
    stop.abort();
  });

  it('takes over from one that was killed, when its lease has run out', async () => {
    const stop = new AbortController();
    lease = { holder: 'killed', durationSeconds: 15, transitions: 0, renewTime: 'long ago', resourceVersion: '1' };
    void bridge('b', stop.signal);
    await advance(15_000);
    expect(worked).toEqual([]);
    await advance(4000);
    expect(worked).toEqual(['+b']);
    expect(leaders()).toEqual([['b', 'killed has not renewed it for 15 s']]);
    expect(lease).toMatchObject({ holder: 'b', transitions: 1 });
    stop.abort();
  });

  it('one whose requests fail after two seconds stops ten seconds after it began its last renewal', async () => {
    const stop = new AbortController();
    void bridge('a', stop.signal);
    await advance(0);
    [away, requestMs] = [true, { read: 2000, write: 0 }];
    await advance(9999);
    expect(worked).toEqual(['+a']);
    await advance(1);
    expect(worked).toEqual(['+a', '-a']);
    stop.abort();
  });

  it('one whose writes are always late stops before another may begin', async () => {
    const stop = new AbortController();
    void bridge('a', stop.signal);
    await advance(1000);
    contended = true;
    await advance(14_000);
    expect(worked).toEqual(['+a', '-a']);
    expect(leaders().at(-1)).toEqual(['', 'it could not be renewed']);
    stop.abort();
  });

  it('one whose renewal takes longer than ten seconds stops before it is answered', async () => {
    const stop = new AbortController();
    void bridge('a', stop.signal);
    await advance(1000);
    requestMs = { read: 0, write: 11_000 };
    await advance(8999);
    expect(worked).toEqual(['+a']);
    await advance(1);
    expect(worked).toEqual(['+a', '-a']);
    stop.abort();
  });

  it('one that ends while another holds the lease leaves it unchanged', async () => {
    const [first, second] = [new AbortController(), new AbortController()];
    void bridge('a', first.signal);
    await advance(1000);
    const ended = bridge('b', second.signal);
    await advance(1000);
    const held = lease;
    second.abort();
    await ended;
    expect(lease).toBe(held);
    expect(held?.holder).toBe('a');
    first.abort();
  });

  it('one that ends during a request reports no error', async () => {
    const stop = new AbortController();
    [away, requestMs] = [true, { read: 2000, write: 0 }];
    const ended = bridge('a', stop.signal);
    await advance(1000);
    stop.abort();
    await advance(4000);
    await ended;
    expect([lease, lines]).toEqual([undefined, []]);
  });
});
