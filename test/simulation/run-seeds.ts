/** Plays many seeds, on several threads. */
import { Worker } from 'node:worker_threads';
import { noTotals, type Totals } from './describe.ts';
import type { ScenarioName } from './scenarios/scenarios.ts';
import type { Finding, Work } from './worker.ts';

export interface Seeds {
  readonly from: number;
  readonly count: number;
  readonly threads: number;
  /** A bug to plant, by its name. */
  readonly planted?: string | undefined;
  /** The scenario of every history; random if undefined. */
  readonly scenario?: ScenarioName | undefined;
  /** The number of hubs in the scenario `hubs`. */
  readonly hubs?: number | undefined;
  /** Called for each seed; if it returns true, the run ends. */
  readonly onPlayed?: (finding: Finding) => boolean;
}

export interface Ran {
  readonly totals: Totals;
  /** The runs with violations, by seed. */
  readonly broken: readonly Finding[];
}

export async function runSeeds({ from, count, threads, planted, scenario, hubs, onPlayed }: Seeds): Promise<Ran> {
  const totals = noTotals();
  const broken: Finding[] = [];
  const workers = Array.from({ length: Math.min(threads, count) }, (_, index) => {
    const work: Work = { from: from + index, to: from + count, step: threads, planted, scenario, hubs };
    return new Worker(new URL('./worker.ts', import.meta.url), { workerData: work });
  });
  const end = () => Promise.all(workers.map((worker) => worker.terminate()));
  try {
    await Promise.all(
      workers.map(
        (worker) =>
          new Promise<void>((resolve, reject) => {
            worker.on('message', (finding: Finding) => {
              add(totals, finding);
              if (finding.played.violations.length > 0) broken.push(finding);
              if (onPlayed?.(finding)) void end();
            });
            worker.on('error', reject);
            worker.on('exit', () => resolve());
          }),
      ),
    );
  } finally {
    await end();
  }
  return { totals, broken: broken.sort((a, b) => a.seed - b.seed) };
}

function add(totals: Totals, { played }: Finding): void {
  totals.seeds += 1;
  totals.deliveries += played.deliveries;
  totals.virtualMs += played.virtualMs;
  if (played.fairness !== undefined) totals.fairness.push(played.fairness);
  for (const { kind } of played.history.faults) totals.faults.set(kind, (totals.faults.get(kind) ?? 0) + 1);
}
