// Prints one line if Node is too old, before modules that need a newer one are loaded.
import { readFileSync } from 'node:fs';
import module from 'node:module';

const needed = 24;
const { platform, arch, versions } = process;
if (Number(versions.node.split('.')[0]) < needed) {
  const { optionalDependencies } = JSON.parse(
    readFileSync(new URL('../runtime/package.json', import.meta.url), 'utf8'),
  );
  const pinned = `node-${platform === 'win32' ? 'win' : platform}-${arch}`;
  const remedy = Object.hasOwn(optionalDependencies, pinned)
    ? `'npm ci' installs it here, and 'npm start' uses it`
    : `'npm ci' installs none for ${platform}-${arch}: install Node ${needed}, then run 'npm start' again`;
  console.error(`evenkeel: this is Node ${versions.node}; Node ${needed} is needed. ${remedy} (docs/start/faq.md).`);
  process.exit(2);
}
// Caches compiled code in the system's temporary folder.
module.enableCompileCache();
await import('./main.ts');
