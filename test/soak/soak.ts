/** The soak: a local run that is killed again and again while users change its hub, and what the hub shows of it in the end. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { seededRandom } from '../fakes/seeded-random.ts';
import { type SoakHub, startSoakHub } from './hub.ts';
import { drawLife } from './lives.ts';
import { Lives, type Place } from './local-process.ts';
import { openEnds, RebalancerLedger } from './rebalancer-ledger.ts';
import { TriggerLedger } from './trigger-ledger.ts';
import { Users } from './users.ts';

export interface SoakOptions {
  readonly kills: number;
  readonly seed: number;
  /** How much faster than the wall's the time of hub and local run goes. */
  readonly speed: number;
  readonly print: (line: string) => void;
}

export interface Soaked {
  readonly kills: Readonly<Record<string, number>>;
  readonly figures: Readonly<Record<string, number>>;
  readonly wrong: readonly string[];
}

/** The interval of user actions, in ms of wall time. */
const ACT_EVERY_MS = 300;
/** In the end nothing happens but the work that is left, and the last ttls. For a busy machine; no result depends on it. */
const END_LIMIT_MS = 900_000;
/** Of what the last life printed, for a reader who has the report alone. */
const LAST_WORDS = 4000;

export async function soak({ kills, seed, speed, print }: SoakOptions): Promise<Soaked> {
  const folder = mkdtempSync(join(tmpdir(), 'evenkeel-soak-'));
  const start = Date.now();
  const place = { data: join(folder, 'data'), port: await freePorts() };
  let lives: Lives | undefined;
  const time = { since: start, start, speed };
  const hub = await startSoakHub(folder, place, () => lives?.time ?? time);
  const users = new Users(hub, seededRandom(seed));
  const triggers = new TriggerLedger(hub.now);
  const ledger = new RebalancerLedger(hub.now, users.deleted, (name) => !name.includes('/gone'));
  hub.server.store.onChange((change) => {
    triggers.onChange(change);
    ledger.onChange(change);
  });
  const ends: Record<string, number> = {};
  let work: Work | undefined;
  try {
    await users.begin();
    work = startWork(users, ledger);
    const random = seededRandom(seed + 1);
    lives = new Lives({ ...place, kubeconfig: hub.kubeconfig }, time);
    for (let index = 0; index < kills; index += 1) {
      const end = await lives.live(drawLife(index, random));
      ends[end] = (ends[end] ?? 0) + 1;
      if ((index + 1) % 10 === 0)
        print(`${index + 1} kills, ${ledger.created} rebalancers, ${triggers.count} triggers`);
    }
    await work.end();
    const left = await settle(lives, () => whatIsOpen(hub, ledger, triggers, place));
    const { deleted, created, edits } = ledger;
    const figures = {
      'virtual minutes': Math.round((hub.now() - start) / 60_000),
      acts: users.acts,
      rebalancers: created,
      edits,
      triggers: triggers.count,
      'expired by ttl': deleted.expired,
      'deleted by users': deleted.byUsers,
      'left in the end': ledger.living.size,
      'audit events dropped': hub.dropped(),
    };
    return { kills: ends, figures, wrong: [...ledger.wrong, ...triggers.wrong, ...left] };
  } finally {
    await work?.end();
    await hub.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Work {
  end(): Promise<void>;
}

/** Users continue at their own rate, whether the run is up or down. */
function startWork(users: Users, ledger: RebalancerLedger): Work {
  let over = false;
  const working = (async () => {
    while (!over) {
      await users.act([...ledger.living.values()]);
      await wait(ACT_EVERY_MS);
    }
    users.end();
  })();
  return {
    end: async () => {
      over = true;
      await working;
    },
  };
}

/** One life that is not killed, until nothing is open; returns what is left open. */
async function settle(lives: Lives, open: () => readonly string[]): Promise<readonly string[]> {
  // Its start shows how busy the machine is now.
  await lives.live({ ends: 'at work', afterMs: 0 });
  const last = lives.start();
  await last.up();
  const end = performance.now() + END_LIMIT_MS;
  while (open().length > 0 && performance.now() < end) await wait(250);
  const left = [...open()];
  const code = await last.stop();
  if (code !== 0) left.push(`the last one ended with ${code}`);
  return left.length === 0 ? left : [...left, `the last one printed: ${last.text().slice(-LAST_WORDS)}`];
}

function whatIsOpen(
  hub: SoakHub,
  ledger: RebalancerLedger,
  triggers: TriggerLedger,
  { data }: Pick<Place, 'data'>,
): string[] {
  const open = triggers.waiting();
  for (const known of ledger.living.values()) {
    const { spec, status } = known.shown;
    open.push(...openEnds(known, known.shown));
    const due = Date.parse(status?.finishTime ?? '') + (spec.ttlSecondsAfterFinished ?? Number.NaN) * 1000;
    if (!Number.isNaN(due))
      open.push(`${known.name} is there, ${Math.round((hub.now() - due) / 1000)} s after its time`);
    for (const [workload, at] of known.askedAt) {
      const isAsked = known.succeeded.has(workload);
      const binding = `${workload.split('/').at(-1)}-deployment`;
      if (isAsked && !triggers.isTriggeredSince(binding, at))
        open.push(`${known.name}: ${workload} is Successful and was not triggered`);
    }
  }
  const deadLetters = join(data, 'dead-letters.jsonl');
  if (existsSync(deadLetters))
    open.push(
      ...readFileSync(deadLetters, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => `a dead letter: ${line}`),
    );
  return open;
}

/** The first of three that are free: for hub API, hook and page. Below the ports that a system gives to outgoing connections, because each life needs them again. */
async function freePorts(): Promise<number> {
  for (;;) {
    const base = 20_000 + Math.floor(Math.random() * 12_000);
    const free = await Promise.all([base, base + 1, base + 2].map(isFree));
    if (free.every(Boolean)) return base;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
