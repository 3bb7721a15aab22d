#!/usr/bin/env node
/** `npm start`: runs, and prints one line if it cannot start. */
import { Fault } from '../shared/core/fault.ts';
import { start } from './start.ts';

try {
  process.exitCode = await start(process.argv.slice(2));
} catch (thrown) {
  if (!(thrown instanceof Fault)) throw thrown;
  console.error(`evenkeel: ${thrown.message}`);
  process.exitCode = 2;
}
