/** Deployments whose functions are replaced by those of another version while they run. */
import { join } from 'node:path';
import { kinds } from '../../local/practice-hub/store/kinds.ts';
import { startTable } from '../../local/table.ts';
import { ResyncDue } from '../../shared/bus/catalogue.ts';
import { RawTable, readableRow } from '../row-samples.ts';
import { recordedFaults } from '../simulation/fault-injector.ts';
import type { History } from '../simulation/history.ts';
import { type Played, play } from '../simulation/play.ts';
import { randomOf } from '../simulation/random-values.ts';
import type { Delivery, DeployedCode } from '../simulation/system/function-code.ts';
import { HUB } from '../simulation/system/only-hub.ts';
import { System } from '../simulation/system/system.ts';
import type { UpgradeCase } from './cases.ts';
import { loadVersion, SharedTable, type Version } from './version.ts';

const HEAD = join(import.meta.dirname, '../..');

export type Direction = 'upgrade' | 'rollback';

export interface Swap {
  readonly direction: Direction;
  /** Which version gets a delivery; `Both`: one of them at random. */
  readonly phase: (delivery: Delivery) => 'Before' | 'Both' | 'After';
  /** Of the choice of a version. */
  readonly seed?: number;
}

/** Deliveries to the functions of the base and of this version. */
export interface Handled {
  base: number;
  head: number;
}

interface Deployment {
  readonly deployed: DeployedCode;
  readonly handled: Handled;
  readonly endpoint: string;
}

/** `folder`: the tree of the base. */
async function inDeployment<T>(
  folder: string,
  { direction, phase, seed = 0 }: Swap,
  run: (deployment: Deployment) => Promise<T>,
): Promise<T> {
  const local = await startTable();
  const table = new SharedTable(local.endpoint);
  const [base, head] = [await loadVersion(folder, table), await loadVersion(HEAD, table)];
  const [before, after] = direction === 'upgrade' ? [base, head] : [head, base];
  const random = randomOf(seed);
  const handled = { base: 0, head: 0 };
  const codeOf = (delivery: Delivery): Version => {
    const at = phase(delivery);
    const isBefore = at === 'Both' ? random.of(`version of ${delivery.name}`) < 0.5 : at === 'Before';
    const version = isBefore ? before : after;
    handled[version === base ? 'base' : 'head'] += 1;
    return version;
  };
  const deployed = { codeOf, stores: head.stores, isReading: () => table.openRequests > 0 };
  try {
    return await run({ deployed, handled, endpoint: local.endpoint });
  } finally {
    base.close();
    head.close();
    await local.close();
  }
}

/** A random history with its faults. */
export function playHistory(history: History, folder: string, swap: Swap): Promise<Played & { handled: Handled }> {
  return inDeployment(folder, swap, async ({ deployed, handled }) => ({
    ...(await play(history, undefined, deployed)),
    handled,
  }));
}

/** When every history and case begins. */
export const START = Date.parse('2026-11-21T10:00:00Z');
const SECOND = 1000;
const LASTS_MS = 3600 * SECOND;
const RESYNC_MS = 600 * SECOND;

export interface Ended {
  /** Every object on the hub and every row of the table. */
  readonly objects: Readonly<Record<string, unknown>>;
  readonly rows: Readonly<Record<string, unknown>>;
  readonly deadLetters: readonly unknown[];
  /** Whether the work was in flight midway, and done in the end. */
  readonly isDone: boolean;
  readonly handled: Handled;
}

/** A case for an hour, to its end. */
export function playCase(subject: UpgradeCase, folder: string, swap: Swap): Promise<Ended> {
  return inDeployment(folder, swap, async ({ deployed, handled, endpoint }) => {
    const { settings, hasBudgets } = subject;
    const injector = recordedFaults([]);
    const system = new System({ random: randomOf(7), injector, maxSkewMs: 0, settings, hasBudgets, deployed });
    let wasInFlight = false;
    const [seconds, isInFlight] = subject.midway;
    const midway = [seconds, () => (wasInFlight = isInFlight(system))] as const;
    const steps = [...subject.begin(system), midway].toSorted(([a], [b]) => a - b);
    const began = system.clock.now();
    for (const [seconds, act] of steps) {
      await system.pass(Math.max(0, began + seconds * SECOND - system.clock.now()));
      await act();
    }
    while (system.clock.now() < began + LASTS_MS) {
      await system.transit.publish([ResyncDue.of({ hub: HUB })]);
      await system.pass(RESYNC_MS);
    }
    const table = new RawTable(endpoint, 'evenkeel');
    const rows = Object.fromEntries(
      (await table.rows()).map(({ pk, sk, format: _, ...row }) => [
        `${String(pk)} ${String(sk)}`,
        sorted(readableRow(row)),
      ]),
    );
    table.close();
    const { deadLetters } = system;
    return { objects: objectsOf(system), rows, deadLetters, isDone: wasInFlight && subject.isDone(system), handled };
  });
}

/** A row with its fields in alphabetical order; DynamoDB has no order. */
function sorted(row: unknown): unknown {
  return Object.fromEntries(Object.entries(row as object).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function objectsOf({ hub: { store } }: System): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    kinds.flatMap(({ storeName }) =>
      store
        .list(storeName)
        .map(({ metadata: { namespace = '', name, labels, annotations }, spec, status }) => [
          `${storeName} ${namespace}/${name}`,
          { labels, annotations, spec, status },
        ]),
    ),
  );
}
