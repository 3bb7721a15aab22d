/** Loopback ports for servers: below the range that outgoing connections take theirs from, and claimed, so that two rigs never choose the same one. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { RigFailure } from './failure.ts';
import { home } from './home.ts';

const FIRST = 20_000;
const LAST = 31_999;
const claims = join(home, 'ports');

/**
 * A port that is free and that no other rig has claimed, and `following` ports after it; `holder` is the folder of the rig that
 * wants them.
 */
export async function claimPort(holder: string, following = 0): Promise<number> {
  mkdirSync(claims, { recursive: true });
  const start = FIRST + (process.pid % (LAST - FIRST));
  for (let tried = 0; tried <= LAST - FIRST; tried += 1) {
    const port = FIRST + ((start - FIRST + tried) % (LAST - FIRST + 1));
    if (await claimRow(port, following, holder)) return port;
  }
  throw new RigFailure(`no free port from ${FIRST} to ${LAST}`);
}

/** All of them or none. */
async function claimRow(first: number, following: number, holder: string): Promise<boolean> {
  for (let port = first; port <= first + following; port += 1) {
    const claimed = claim(port, holder);
    if (claimed && (await isFree(port))) continue;
    for (let held = first; held < port; held += 1) releasePort(held, holder);
    if (claimed) releasePort(port, holder);
    return false;
  }
  return true;
}

export function releasePort(port: number, holder: string): void {
  const file = join(claims, String(port));
  try {
    if (readFileSync(file, 'utf8') === holder) rmSync(file);
  } catch {
    // It was not claimed.
  }
}

function claim(port: number, holder: string): boolean {
  const file = join(claims, String(port));
  try {
    writeFileSync(file, holder, { flag: 'wx' });
    return true;
  } catch {
    // The claim of a removed rig is deleted; the port can be claimed by the next call.
    if (!existsSync(readFileSync(file, 'utf8'))) rmSync(file, { force: true });
    return false;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    // On all addresses: a listener on any of them occupies the port.
    server.listen(port, () => server.close(() => resolve(true)));
  });
}
