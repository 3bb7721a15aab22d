/** Loaded into the local run before anything of its own: makes its clock and timers run faster, and kills it in the middle of a write if its environment asks for it. */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { fastNow } from './fast-time.ts';
import type { Death } from './lives.ts';

const { time, death } = JSON.parse(process.env.EVENKEEL_SOAK ?? '{}') as {
  readonly time: Parameters<typeof fastNow>[0];
  readonly death?: Death;
};

const wallNow = Date.now;
Date.now = () => fastNow(time, wallNow());
const wallTimeout = globalThis.setTimeout;
const fastTimeout = (fn: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) =>
  wallTimeout(fn, ms / time.speed, ...args);
globalThis.setTimeout = Object.assign(fastTimeout, wallTimeout);

function die(): void {
  process.kill(process.pid, 'SIGKILL');
}

if (death !== undefined) {
  let operations = 0;
  const isDue = () => ++operations === death.operation;
  const { writeFileSync: write, renameSync: rename, linkSync: link } = fs;
  fs.writeFileSync = (file, data, options) => {
    if (!isDue()) return write(file, data, options);
    const text = typeof data === 'string' ? data : '';
    if (death.when === 'half done') write(file, text.slice(0, text.length / 2), options);
    if (death.when === 'begun') write(file, '', options);
    if (death.when === 'done') write(file, data, options);
    die();
  };
  fs.renameSync = (from, to) => {
    const due = isDue();
    if (!due || death.when === 'done') rename(from, to);
    if (due) die();
  };
  fs.linkSync = (from, to) => {
    const due = isDue();
    if (!due || death.when === 'done') link(from, to);
    if (due) die();
  };
  syncBuiltinESMExports();
}
