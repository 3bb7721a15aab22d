/** Evenkeel on a rig's hub, as users run it without AWS: `npm start -- --kubeconfig`, with the shipped ServiceAccount. */
import { join } from 'node:path';
import { environmentName, type SettingName } from '../../../shared/core/settings.ts';
import type { Rig } from '../rig.ts';
import type { Hub } from './hub.ts';

export const MAIN = join(import.meta.dirname, '..', '..', '..', 'local', 'main.ts');

/** Of the process. */
export const EVENKEEL = 'evenkeel';
const UP = 'The functions are up on the hub';

type RunSettings = Partial<Readonly<Record<SettingName, number>>>;

export function startEvenkeel(rig: Rig, hub: Hub, settings: RunSettings = {}): Promise<void> {
  return startEvenkeelWith(rig, hub, { settings, args: [] });
}

/** `args`: of the local run, besides those that every rig's hub needs. */
export async function startEvenkeelWith(
  rig: Rig,
  hub: Hub,
  { settings, args }: { readonly settings: RunSettings; readonly args: readonly string[] },
): Promise<void> {
  const timesUp = () => rig.processes.log(EVENKEEL).split(UP).length - 1;
  const before = rig.processes.pid(EVENKEEL) === undefined ? timesUp() : 0;
  const env = Object.entries(settings).map(([name, value]) => [environmentName(name), String(value)]);
  await rig.start({
    name: EVENKEEL,
    command: [process.execPath, MAIN, '--kubeconfig', hub.kubeconfig, ...hookOptions(hub), ...args],
    env: Object.fromEntries(env) as Record<string, string>,
    ready: async () => {
      if (timesUp() <= before) throw new Error('the functions are not up yet');
    },
  });
}

export async function stopEvenkeel(rig: Rig, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  await rig.processes.stop(EVENKEEL, signal);
}

/** The options with which a local run serves the URL of the hub's audit webhook, with the token and certificate that it expects. */
export function hookOptions({ hook }: Hub): readonly string[] {
  // The hook listens on the port after the one that is named.
  return ['--data', hook.folder, '--port', String(hook.port - 1)];
}
