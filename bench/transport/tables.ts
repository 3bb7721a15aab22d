/** Turns the rounds of the transport bench into its figures, and those into a table to read. */
import type { BundleCost } from '../bundle-cost.ts';
import { medianRatio, rounded, type Spread, spread } from '../figures.ts';
import type { ClientName } from './clients.ts';
import { type ClientRounds, IN_FLIGHT, type Pass } from './rounds.ts';

export interface PatchFigures {
  readonly inFlight: number;
  readonly msPerRequest: Spread;
  /** Of the client's process. */
  readonly cpuMsPerRequest: Spread;
  /** Of the first client, ours. */
  readonly ratio: number;
  readonly cpuRatio: number;
  /** Opened for the 100 requests of the warm-up. */
  readonly connectionsPer100: number;
}

export interface ClientFigures {
  readonly name: ClientName;
  readonly patch: readonly PatchFigures[];
  readonly list: { readonly ms: Spread; readonly ratio: number };
  readonly residentMb: number;
}

export interface Figures {
  readonly rounds: number;
  readonly clients: readonly ClientFigures[];
}

export function summarize(measured: readonly ClientRounds[], requests: number): Figures {
  const [ours] = measured;
  if (!ours) throw new Error('no client was measured');
  const clients = measured.map((client) => ({
    name: client.name,
    patch: IN_FLIGHT.map((inFlight) => ({
      inFlight,
      ...compare(client.patches[inFlight], ours.patches[inFlight], requests),
      connectionsPer100: client.connections[inFlight],
    })),
    list: {
      ms: spread(wall(client.lists)),
      ratio: rounded(medianRatio(wall(client.lists), wall(ours.lists))),
    },
    residentMb: Math.round(client.residentMb),
  }));
  return { rounds: ours.lists.length, clients };
}

function compare(passes: readonly Pass[], ours: readonly Pass[], requests: number) {
  return {
    msPerRequest: spread(wall(passes).map((ms) => ms / requests)),
    cpuMsPerRequest: spread(processor(passes).map((ms) => ms / requests)),
    ratio: rounded(medianRatio(wall(passes), wall(ours))),
    cpuRatio: rounded(medianRatio(processor(passes), processor(ours))),
  };
}

function wall(passes: readonly Pass[]): readonly number[] {
  return passes.map(({ ms }) => ms);
}

function processor(passes: readonly Pass[]): readonly number[] {
  return passes.map(({ cpuMs }) => cpuMs);
}

/** A line a client and number in flight. */
export function roundsTable(clients: readonly ClientFigures[]): string {
  const head = ['client', 'in flight', 'ms a patch: median (min to max)', 'ratio', 'client CPU ms', 'ratio', 'opened'];
  const rows = IN_FLIGHT.flatMap((inFlight) =>
    clients.map(({ name, patch }) => {
      const found = patch.find((figures) => figures.inFlight === inFlight);
      if (!found) return [name, String(inFlight)];
      const { msPerRequest, cpuMsPerRequest, ratio, cpuRatio, connectionsPer100 } = found;
      return [
        name,
        String(inFlight),
        range(msPerRequest, 2),
        ratio.toFixed(2),
        cpuMsPerRequest.median.toFixed(2),
        cpuRatio.toFixed(2),
        String(connectionsPer100),
      ];
    }),
  );
  const lists = clients.map(({ name, list, residentMb }) => [
    name,
    range(list.ms, 0),
    list.ratio.toFixed(2),
    String(residentMb),
  ]);
  const listHead = ['client', 'ms to list all in pages of 500', 'ratio', 'resident MB'];
  return `${aligned([head, ...rows])}\n\n${aligned([listHead, ...lists])}`;
}

export function bundleTable(bundles: readonly BundleCost[]): string {
  const head = ['bundle, minified', 'kB', 'cold import ms: median (min to max)'];
  return aligned([
    head,
    ...bundles.map(({ name, bytes, initMs }) => [name, (bytes / 1000).toFixed(1), range(initMs, 1)]),
  ]);
}

function range({ min, median: middle, max }: Spread, digits: number): string {
  return `${middle.toFixed(digits)} (${min.toFixed(digits)} to ${max.toFixed(digits)})`;
}

function aligned(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
