/** Turns the rounds of the transport bench into its figures and ratios. */
import { type Figure, figure, type Ratio, ratio } from '../result.ts';
import { type ClientRounds, IN_FLIGHT, type Pass } from './rounds.ts';

interface Summary {
  readonly figures: readonly Figure[];
  readonly ratios: readonly Ratio[];
}

export function summarize(measured: readonly ClientRounds[], requests: number): Summary {
  const [ours] = measured;
  if (!ours) throw new Error('no client was measured');
  const all = measured.map((client) => summary(client, ours, requests));
  return { figures: all.flatMap(({ figures }) => figures), ratios: all.flatMap(({ ratios }) => ratios) };
}

function summary(client: ClientRounds, ours: ClientRounds, requests: number): Summary {
  const passes = [
    ...IN_FLIGHT.map((inFlight) => ({
      what: `a patch, ${inFlight} in flight`,
      own: client.patches[inFlight],
      base: ours.patches[inFlight],
      of: requests,
    })),
    { what: 'a list of all in pages of 500', own: client.lists, base: ours.lists, of: 1 },
  ];
  const ratios = passes.flatMap(({ what, own, base }) =>
    (['wall', 'processor'] as const).map((clock) => {
      const compared = { values: times[clock](own), base: times[clock](base), kind: 'time', better: 'higher' } as const;
      return ratio(`${what}, ${clock} time: ${client.name}, to ${ours.name}`, compared);
    }),
  );
  return {
    figures: [
      ...passes.flatMap(({ what, own, of }) =>
        (['wall', 'processor'] as const).map((clock) => {
          const each = times[clock](own).map((ms) => ms / of);
          return figure(`${client.name}: ${what}, ${clock} time`, 'ms', each);
        }),
      ),
      ...IN_FLIGHT.map((inFlight) => {
        const name = `${client.name}: connections opened for 100 requests, ${inFlight} in flight`;
        return figure(name, 'connections', [client.connections[inFlight]]);
      }),
      figure(`${client.name}: resident`, 'MB', [client.residentMb]),
    ],
    ratios: client === ours ? [] : ratios,
  };
}

const times = {
  wall: (passes: readonly Pass[]) => passes.map(({ ms }) => ms),
  /** Of the client's process. */
  processor: (passes: readonly Pass[]) => passes.map(({ cpuMs }) => cpuMs),
};
