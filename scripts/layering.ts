/** Holds the house's one-way streets (.dependency-cruiser.cjs) against the tree. Fails as well when it saw nothing: a checker that reads no module finds no fault. */
import { readdirSync } from 'node:fs';
import { cruiseTree } from './cruise.ts';

const rooms = ['functions', 'shared', 'infra', 'local', 'bridge', 'cli', 'console', 'bench', 'scripts', 'test'].filter(
  (room) => readdirSync('.').includes(room),
);
const LEAST_MODULES = 50;

const { violations, modules } = await cruiseTree('.', rooms);
for (const { rule, from, to } of violations) console.error(`${rule}: ${from} → ${to}`);
if (modules < LEAST_MODULES) {
  console.error(
    `layering: only ${modules} modules were seen, at least ${LEAST_MODULES} were expected; is the TypeScript parser of dependency-cruiser broken?`,
  );
  process.exit(1);
}
console.log(`layering: ${modules} modules in ${rooms.join(', ')}, ${violations.length} violations`);
process.exit(violations.length === 0 ? 0 : 1);
