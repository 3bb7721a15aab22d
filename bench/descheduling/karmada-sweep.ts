/** karmada-descheduler, started for one or two sweeps, timed by the requests to its estimator. */
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { binary } from '../../test/rig/cache/go-binaries.ts';
import { mibOf } from '../rebalance/process-cost.ts';
import type { DeschedulingArena } from './arena.ts';
import { TIMEOUT_SECONDS } from './members.ts';
import type { SweepCost } from './summary.ts';

const TIMEOUT_MS = 150_000;

/** It queries and writes one binding after another: the last request marks its end. */
export async function karmadaSweep(arena: DeschedulingArena, flags: readonly string[]): Promise<SweepCost> {
  const file = (name: string, text: string): string => {
    const path = arena.rig.path(name);
    writeFileSync(path, text, { mode: 0o600 });
    return path;
  };
  const { key, cert } = arena.identity;
  const [keyFile, certFile] = [file('estimator.key', key), file('estimator.crt', cert)];
  const began = performance.timeOrigin + performance.now();
  const child = spawn(
    await binary('karmada-descheduler'),
    [
      `--kubeconfig=${arena.hub.adminKubeconfig}`,
      '--leader-elect=false',
      '--metrics-bind-address=0',
      '--health-probe-bind-address=0',
      '--unschedulable-threshold=1s',
      '--descheduling-interval=1h',
      `--scheduler-estimator-timeout=${TIMEOUT_SECONDS}s`,
      `--scheduler-estimator-ca-file=${certFile}`,
      `--scheduler-estimator-cert-file=${certFile}`,
      `--scheduler-estimator-key-file=${keyFile}`,
      ...flags,
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let log = '';
  child.stderr.on('data', (part: Buffer) => (log = (log + part.toString()).slice(-4000)));
  try {
    for (let waited = 0; waited < TIMEOUT_MS; waited += 100) {
      const { requests, lastAt } = await arena.estimator({ do: 'report' });
      // A write follows the last request.
      if (requests >= arena.short) {
        await wait(200);
        return { ms: lastAt - began, peakMb: mibOf(child.pid ?? 0, 'VmHWM') };
      }
      if (child.exitCode !== null) break;
      await wait(100);
    }
    throw new Error(`karmada-descheduler did not come to its end; the end of its log:\n${log}`);
  } finally {
    child.kill('SIGKILL');
  }
}
