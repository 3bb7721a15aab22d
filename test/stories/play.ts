/** Plays a story as `npm start -- --once` does. */
import { startRun } from '../../local/run.ts';

const options = {
  help: false,
  once: true,
  port: 0,
  data: undefined,
  tracesTo: undefined,
  kubeconfig: undefined,
  failback: false,
  estimator: {},
};

export async function play(story: string): Promise<{ lines: string[]; cameTrue: boolean }> {
  const lines: string[] = [];
  const run = await startRun({ ...options, story }, (line) => lines.push(line));
  await run.close();
  return { lines: lines.flatMap((line) => line.split('\n')), cameTrue: run.cameTrue };
}
