/** `evenkeel record`: appends what happens on a hub to a folder, for `evenkeel backtest`. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { lockFolder } from '../local/folder-lock.ts';
import { recordHub } from '../local/recording/record-hub.ts';
import { RecordingWriter } from '../local/recording/recording-files.ts';
import { invalidOption } from '../shared/core/fault.ts';
import { type HubOptions, hubOf, takesHub } from './hub-options.ts';
import { interruptible } from './interruptible.ts';
import { openHub } from './open-hub.ts';

const after = `
It records Clusters and bindings, with the fields that decisions on moves read, and labels and annotations of their
workloads; no Secret, no template and no address. Each day is a file of JSON lines in UTC, which begins with all objects,
so that older files may be deleted. Ctrl-C ends it; the same command goes on with the recording.

Examples:
  evenkeel record hub-recording
  evenkeel record --kubeconfig hub.conf hub-recording
  evenkeel backtest -f policy.yaml --from hub-recording`;

export function registerRecord(evenkeel: Command): void {
  const command = evenkeel
    .command('record')
    .description('record what happens on a hub, for evenkeel backtest')
    .argument('<folder>', 'where the recording is, or is to be made');
  takesHub(command)
    .addHelpText('after', after)
    .action(async (folder: string, options: HubOptions) => {
      const { hub } = await openHub(hubOf(options));
      await interruptible(async (interrupted) => {
        const writer = new RecordingWriter(folder);
        // Each of two recorders would write its own snapshots between the other's lines.
        const release = lockFolder(folder, (what) => invalidOption(`${folder} cannot be recorded to: ${what}`));
        const warn = (warning: string) => process.stderr.write(`evenkeel: ${warning}\n`);
        const wait = (ms: number) => sleep(ms, undefined, { signal: interrupted }).catch(() => undefined);
        warn(`recording to ${folder}; Ctrl-C ends it`);
        try {
          await recordHub({ hub, write: (lines) => writer.write(lines), now: Date.now, wait, warn }, interrupted);
        } finally {
          release();
        }
      });
      process.stdout.write(
        `The recording is in ${folder}; evenkeel backtest -f policy.yaml --from ${folder} plays a policy over it.\n`,
      );
    });
}
