/**
 * Forwards the hub's audit events to the deployed hook: an API server is configured with the hook's URL when it starts, and the deployment's URL is
 * known only later and has a name that this machine doesn't resolve.
 */
import { join } from 'node:path';
import type { Rig } from '../rig.ts';
import type { AwsEmulator } from './aws-emulator.ts';
import type { Hook } from './hub.ts';
import { accepts } from './probes.ts';

const NAME = 'hook-gateway';
const entry = join(import.meta.dirname, 'hook-gateway-process.ts');

/** Forwards requests to the hub's hook to `hookUrl` on the emulator. */
export async function startHookGateway(
  rig: Rig,
  hook: Hook,
  { emulator, hookUrl }: { readonly emulator: AwsEmulator; readonly hookUrl: string },
): Promise<void> {
  const { host, pathname } = new URL(hookUrl);
  await rig.start({
    name: NAME,
    command: [
      process.execPath,
      entry,
      `--port=${hook.port}`,
      `--folder=${hook.folder}`,
      `--host=${host}`,
      `--base=${pathname.replace(/\/hubs\/.*$/, '')}`,
      `--upstream=${emulator.port}`,
      `--ca=${emulator.caFile}`,
    ],
    ready: () => accepts(hook.port),
  });
}

export async function stopHookGateway(rig: Rig): Promise<void> {
  await rig.processes.stop(NAME);
}
