/**
 * Measures the division of replicas among clusters: Karmada's own code, compiled from its module, and Evenkeel's, in turn, on the same
 * cases.
 *
 *   node bench/assignment.ts [--rounds 7] [--ms 20]
 *
 * It fails unless both give the same results. The first run needs Go. The result is saved in results/assignment.json.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { assignReplicas } from '../shared/karmada/assignment/assign-replicas.ts';
import { binary, karmadaVersion } from '../test/rig/cache/go-binaries.ts';
import { type AssignmentCase, casesOf, requestOf } from './assignment/cases.ts';
import { differences } from './assignment/differences.ts';
import { KarmadaProcess } from './assignment/karmada-process.ts';
import { figure, ratio } from './result.ts';
import { begin } from './results.ts';

const sizes = [
  { clusters: 10, replicas: 10 },
  { clusters: 10, replicas: 1_000_000 },
  { clusters: 100, replicas: 1000 },
  { clusters: 1000, replicas: 100_000 },
  { clusters: 5000, replicas: 10 },
  { clusters: 5000, replicas: 1_000_000 },
];

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '7' }, ms: { type: 'string', default: '20' } },
});
const [rounds, ms] = [Number(values.rounds), Number(values.ms)];

/** Microseconds per decision. */
function ours(asked: AssignmentCase): () => number {
  const request = requestOf(asked);
  return () => {
    const began = performance.now();
    let took = 0;
    let decisions = 0;
    do {
      assignReplicas(request);
      decisions += 1;
      took = performance.now() - began;
    } while (took < ms);
    return (took * 1000) / decisions;
  };
}

async function compare(cases: readonly AssignmentCase[], karmada: KarmadaProcess): Promise<void> {
  for (const [index, asked] of cases.entries()) {
    const assignment = assignReplicas(requestOf(asked));
    const theirs = await karmada.decide(index, 0);
    const wrong =
      assignment.outcome === 'Assigned' ? differences(assignment.clusters, theirs.shares) : [assignment.reason];
    if (wrong.length > 0)
      throw new Error(`${asked.name}: ours differs from Karmada's: ${wrong.slice(0, 5).join('; ')}`);
  }
}

const result = begin('assignment');
const cases = casesOf(sizes);
const folder = await mkdtemp(join(tmpdir(), 'evenkeel-bench-'));
const file = join(folder, 'cases.json');
await writeFile(file, JSON.stringify(cases));
const karmada = new KarmadaProcess(await binary('assign-replicas'), file);
try {
  await compare(cases, karmada);
  const measured = cases.map((asked) => ({ asked, once: ours(asked), own: [] as number[], theirs: [] as number[] }));
  // The first warms both up.
  for (let round = -1; round < rounds; round += 1)
    for (const [index, { once, own, theirs }] of measured.entries()) {
      const took = once();
      const { ns, decisions } = await karmada.decide(index, ms);
      if (round < 0) continue;
      own.push(took);
      theirs.push(ns / 1000 / decisions);
    }
  await result.keep({
    versions: { karmada: karmadaVersion() },
    figures: measured.flatMap(({ asked, own, theirs }) => [
      figure(`${asked.name}: ours`, 'µs', own),
      figure(`${asked.name}: Karmada's`, 'µs', theirs),
    ]),
    ratios: measured.map(({ asked, own, theirs }) => {
      const published = asked.strategy === 'DynamicWeight' && asked.mode === 'Fresh';
      const compared = { values: theirs, base: own, kind: 'time', better: 'higher', published } as const;
      return ratio(`${asked.name}: Karmada's, to ours`, compared);
    }),
    details: { casesWithEqualAnswers: cases.length },
  });
} finally {
  karmada.close();
  await rm(folder, { recursive: true, force: true });
}
