/**
 * Measures the time from an event to its trigger: from an audit event at the hook of a warm local run to
 * rescheduleTriggeredAt on a binding, observed by a watch, at several rates of rebalancers; beside it, how many rebalancers a second the API server
 * could serve at all.
 *
 *   node bench/reaction.ts [--rates 1,10,25,100] [--workloads 3] [--seconds 20]
 *
 * It starts and stops its own rig. The result is saved in results/reaction.json.
 */
import { parseArgs } from 'node:util';
import { REAL_HUB } from '../local/run.ts';
import { startEvenkeelWith } from '../test/rig/parts/evenkeel.ts';
import { countOption } from './count-option.ts';
import { percentile } from './figures.ts';
import { auditPoster } from './reaction/audit-post.ts';
import { floorRate } from './reaction/floor.ts';
import { startSink } from './reaction/sink.ts';
import { type Rate, type Reactions, reactAt } from './reaction/steady.ts';
import { closeArena, openArena, type RebalanceArena } from './rebalance/arena.ts';
import { QUIET } from './rebalance/contestants.ts';
import { figure, type Ratio, ratio } from './result.ts';
import { begin } from './results.ts';

const { values } = parseArgs({
  options: {
    rig: { type: 'string', default: 'bench-reaction' },
    rates: { type: 'string', default: '1,10,25,100' },
    workloads: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '20' },
  },
});

/** Bindings rotate, so a binding's last trigger is some seconds old at its next one. */
const BINDINGS = 3000;
/** Number of consecutive parts of a run whose percentiles give the spread. */
const STRETCHES = 4;
/** Warms up the process's compiled code. */
const WARM_UP: Rate = { perSecond: 20, seconds: 5, workloads: 3 };

/** On separate ports: a sink listens on those that the hub's API server calls. */
async function startOurs({ rig, hub }: RebalanceArena): Promise<{ readonly port: number }> {
  const port = await rig.port('evenkeel of the bench', 2);
  await startEvenkeelWith(rig, hub, { settings: QUIET, args: ['--port', String(port)] });
  return { port: port + 1 };
}

function stretches(ms: readonly number[]): readonly (readonly number[])[] {
  const length = Math.ceil(ms.length / STRETCHES);
  return Array.from({ length: STRETCHES }, (_, index) => ms.slice(index * length, (index + 1) * length)).filter(
    (some) => some.length > 0,
  );
}

function percentiles({ ms }: Reactions, percent: number): readonly number[] {
  return stretches(ms).map((some) => percentile(some, percent));
}

function figuresAt(reactions: Reactions) {
  const label = `${reactions.perSecond} rebalancers a second`;
  return [
    ...[50, 99].map((percent) =>
      figure(`${label}: event to trigger, p${percent}`, 'ms', percentiles(reactions, percent)),
    ),
    figure(`${label}: CPU of kube-apiserver a rebalancer`, 'ms', [reactions.cpuMs.server]),
    figure(`${label}: CPU of Evenkeel a rebalancer`, 'ms', [reactions.cpuMs.evenkeel]),
    figure(`${label}: created`, 'per second', [reactions.createdPerSecond]),
    figure(`${label}: triggers not seen in time`, 'bindings', [reactions.missing]),
  ];
}

function ratiosTo(slowest: Reactions, others: readonly Reactions[]): readonly Ratio[] {
  return others.flatMap((one) =>
    [50, 99].map((percent) =>
      ratio(`event to trigger, p${percent}: at ${one.perSecond} rebalancers a second, to ${slowest.perSecond}`, {
        values: percentiles(one, percent),
        base: percentiles(slowest, percent),
        kind: 'time',
        better: 'lower',
      }),
    ),
  );
}

const rates = values.rates.split(',').map((text) => countOption('rates', text, 1000));
const workloads = countOption('workloads', values.workloads, 10);
const seconds = countOption('seconds', values.seconds, 60);
const bench = begin('reaction');
const arena = await openArena(values.rig, BINDINGS);
let endSink: (() => void) | undefined;
try {
  endSink = await startSink(arena.hub.hook);
  const { port } = await startOurs(arena);
  const { token, cert } = arena.hub.hook;
  const post = auditPoster({ port, token, cert, hub: REAL_HUB });
  await reactAt(arena, post, WARM_UP);
  const floor = { rebalancers: 300, workloads };
  const floors: number[] = [await floorRate(arena, floor)];
  const measured: Reactions[] = [];
  for (const perSecond of rates) measured.push(await reactAt(arena, post, { perSecond, seconds, workloads }));
  floors.push(await floorRate(arena, floor));
  const [slowest, ...others] = measured;
  await bench.keep({
    versions: { 'kube-apiserver': arena.server },
    figures: [figure('floor: bare writes of a rebalancer', 'per second', floors), ...measured.flatMap(figuresAt)],
    ratios: slowest === undefined ? [] : ratiosTo(slowest, others),
    details: { workloadsPerRebalancer: workloads, seconds, bindings: BINDINGS, bindingBytes: arena.bindingBytes },
  });
} finally {
  endSink?.();
  await closeArena(arena);
}
