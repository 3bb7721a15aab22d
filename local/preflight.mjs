// Says in one line where Node is too old, before anything that needs a newer one is loaded.
const needed = 24;
const major = Number(process.versions.node.split('.')[0]);
if (major < needed) {
  console.error(
    `evenkeel: this is Node ${process.versions.node}; Node ${needed} is needed. 'npm ci' brings it for Linux and Windows and 'npm start' uses it; elsewhere install Node ${needed}.`,
  );
  process.exit(2);
}
await import('./main.ts');
