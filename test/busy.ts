/** `npm run test:busy`: the plain suite three times while a process on each core competes with it. Exits 1 if a run fails: then a test depends on load. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';

const RUNS = 3;

function spin(): ChildProcess {
  // It ends by itself if this process is killed: its standard input closes.
  const code =
    'process.stdin.on("end", () => process.exit()).resume(); const spin = () => { const end = Date.now() + 50; while (Date.now() < end); setImmediate(spin); }; spin();';
  return spawn(process.execPath, ['--eval', code], { stdio: ['pipe', 'ignore', 'inherit'] });
}

const spinning = Array.from({ length: availableParallelism() }, spin);
for (let run = 1; run <= RUNS; run += 1) {
  const began = performance.now();
  const { status } = spawnSync('vitest', ['run', ...process.argv.slice(2)], { stdio: 'inherit' });
  console.log(
    `busy run ${run} of ${RUNS}: ${status === 0 ? 'passed' : 'failed'} in ${Math.round((performance.now() - began) / 1000)} s`,
  );
  if (status !== 0) process.exitCode = 1;
}
for (const child of spinning) child.kill();
