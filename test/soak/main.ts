/** `npm run soak -- --kills 100 --seed N --speed 10`: exits 1 where anything was lost, early, late or done twice. */
import { parseArgs } from 'node:util';
import { soak } from './soak.ts';

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    speed: { type: 'string', default: '10' },
  },
});
const seconds = performance.now();
const numbers = { kills: Number(values.kills), seed: Number(values.seed), speed: Number(values.speed) };
const { kills, figures, wrong } = await soak({ ...numbers, print: (line) => console.log(line) });
for (const [what, count] of Object.entries({ ...kills, ...figures }))
  console.log(`${String(count).padStart(6)} ${what}`);
for (const line of wrong) console.log(`WRONG ${line}`);
console.log(
  `${wrong.length} wrong, in ${Math.round((performance.now() - seconds) / 1000)} s; again: npm run soak -- --kills ${numbers.kills} --seed ${numbers.seed}`,
);
process.exitCode = wrong.length > 0 ? 1 : 0;
