/** Readiness probes of the parts. */
import { readFileSync } from 'node:fs';
import https from 'node:https';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

/** Resolves when the URL answers 200 to the administrator of that folder. */
export async function answers(url: string, folder: string): Promise<void> {
  const tls = {
    ca: readFileSync(join(folder, 'ca.crt')),
    cert: readFileSync(join(folder, 'admin.crt')),
    key: readFileSync(join(folder, 'admin.key')),
  };
  await new Promise<void>((resolve, reject) => {
    const request = https.get(url, { ...tls, timeout: 5000 }, (response) => {
      response.resume();
      if (response.statusCode === 200) resolve();
      else reject(new Error(`${url} answers ${response.statusCode}`));
    });
    request.on('timeout', () => request.destroy(new Error(`${url} does not answer`)));
    request.on('error', reject);
  });
}

/** Resolves when something listens there. */
export async function accepts(port: number, host = '127.0.0.1'): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const socket = connect(port, host, () => {
      socket.destroy();
      resolve();
    });
    socket.once('error', reject);
  });
}

const POLL_MS = 100;

/** Retries while the probe rejects; after `withinMs` it rejects with the last error. */
export async function eventually(probe: () => Promise<void>, withinMs: number): Promise<void> {
  for (const end = performance.now() + withinMs; ; ) {
    try {
      return await probe();
    } catch (thrown) {
      if (performance.now() > end) throw thrown;
      await wait(POLL_MS);
    }
  }
}
