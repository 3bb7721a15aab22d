/** Checks the import rules (.dependency-cruiser.cjs). Also fails if no module was read, because a checker that reads nothing reports no violation. */
import { checkedFolders, cruiseTree } from './cruise.ts';

const LEAST_MODULES = 50;

const { violations, modules } = await cruiseTree('.', checkedFolders);
for (const { rule, from, to } of violations) console.error(`${rule}: ${from} → ${to}`);
if (modules < LEAST_MODULES) {
  console.error(
    `layering: only ${modules} modules were seen, at least ${LEAST_MODULES} were expected; is the TypeScript parser of dependency-cruiser broken?`,
  );
  process.exit(1);
}
console.log(`layering: ${modules} modules in ${checkedFolders.join(', ')}, ${violations.length} violations`);
process.exit(violations.length === 0 ? 0 : 1);
