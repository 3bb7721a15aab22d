/** Waits until a local run has nothing to do. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Hub } from '../test/rig/parts/hub.ts';

interface Health {
  readonly queues: readonly { readonly waiting: number; readonly inFlight: number }[];
}

/** Consecutive polls without a waiting or processed message. */
const IDLE_POLLS = 5;
const POLL_MS = 100;

/** Of the local run that listens at the hub's hook. */
export function pageOf({ hook }: Hub): string {
  return `http://127.0.0.1:${hook.port + 1}`;
}

export async function idle(hub: Hub): Promise<void> {
  for (let still = 0; still < IDLE_POLLS; ) {
    await wait(POLL_MS);
    const { queues } = (await (await fetch(`${pageOf(hub)}/api/health`)).json()) as Health;
    still = queues.every(({ waiting, inFlight }) => waiting + inFlight === 0) ? still + 1 : 0;
  }
}
