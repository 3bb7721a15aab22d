// Prints one line if Node is too old, before modules that need a newer one are loaded.
import module from 'node:module';

const needed = 24;
const major = Number(process.versions.node.split('.')[0]);
if (major < needed) {
  console.error(
    `evenkeel: this is Node ${process.versions.node}; Node ${needed} is needed. 'npm ci' brings it for Linux and Windows and 'npm start' uses it; elsewhere install Node ${needed}.`,
  );
  process.exit(2);
}
// Caches compiled code in the system's temporary folder.
module.enableCompileCache();
await import('./main.ts');
