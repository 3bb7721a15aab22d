/** A local run from start to end: the stack, a hub behind it, a story, and then whatever a person tries. */
import { randomUUID } from 'node:crypto';
import { readEstimator } from '../cli/hub/estimator-choice.ts';
import { HubEstimators } from '../shared/adapters/estimators/hub-estimators.ts';
import { connectHub } from '../shared/adapters/kubernetes/connect-hub.ts';
import { type Connection, parseConnection } from '../shared/adapters/kubernetes/connection.ts';
import { connectionFromKubeconfig } from '../shared/adapters/kubernetes/kubeconfig.ts';
import { asFault, Fault } from '../shared/model/fault.ts';
import { workloadRebalancers } from '../shared/model/workload-rebalancer.ts';
import type { Hub } from '../shared/ports/hub.ts';
import { environmentOf, readSettings } from '../shared/settings.ts';
import { systemClock } from './clock.ts';
import { openDataFolder } from './data-folder.ts';
import { hookKeyPair, hookToken, writeWebhookFiles } from './hook-access.ts';
import { LocalHubs } from './local-hubs.ts';
import { narrate } from './narrate.ts';
import type { Options } from './options.ts';
import { PRACTICE_HUB, type PracticeHub, startPracticeHub } from './practice.ts';
import { startStack } from './stack.ts';
import { onHub } from './stories/hub-scene.ts';
import { onPractice } from './stories/practice-scene.ts';
import type { Scene, Story } from './stories/scene.ts';
import { stories } from './stories/stories.ts';
import { practiceTips, realHubTips } from './tips.ts';

/** The name in cdk.json: a hub's webhook calls the same path here as there. */
export const REAL_HUB = 'karmada';

export interface LocalRun {
  /** Whether the story came true; true where none was played. */
  readonly cameTrue: boolean;
  close(): Promise<void>;
}

/** Throws a terminal Fault, for a person, where it cannot start; what had started is then ended again. */
export async function startRun(options: Options, print: (line: string) => void): Promise<LocalRun> {
  const parts = new AsyncDisposableStack();
  try {
    return { cameTrue: await runOn(parts, options, print), close: () => parts.disposeAsync() };
  } catch (thrown) {
    await parts.disposeAsync();
    throw thrown;
  }
}

async function runOn(parts: AsyncDisposableStack, options: Options, print: (line: string) => void): Promise<boolean> {
  const settings = readSettings({ ...environmentOf(stories[options.story]?.settings ?? {}), ...process.env });
  const given = await connectionGiven(options);
  const name = given === undefined ? PRACTICE_HUB : REAL_HUB;
  const { path: folder } = parts.adopt(openDataFolder(options.data), (opened) => opened.discard());
  const real = given && { connection: given, tls: await hookKeyPair(folder) };
  const token = hookToken(folder);
  const hubs = new LocalHubs(name, [token]);
  const hooksPort = options.port === 0 ? 0 : options.port + 1;
  const estimators = parts.adopt(
    new HubEstimators({ hubs, timeoutMs: settings.estimatorTimeoutSeconds * 1000, now: () => systemClock.now() }),
    (made) => made.close(),
  );
  const whereAndHow = { folder, hooksPort, hubs, estimators, settings, clock: systemClock, newId: randomUUID };
  const starting = startStack({ ...whereAndHow, ...(real && { hookTls: real.tls }) });
  const stack = parts.adopt(await listening(hooksPort, starting), (started) => started.close());
  const hookUrl = `${stack.hook.url}/hubs/${name}/audit`;
  // A kubeconfig's plugin makes tokens that end within minutes, and a file of one is written anew.
  const { kubeconfig } = options;
  const reload = kubeconfig === undefined ? undefined : () => connectionFromKubeconfig(kubeconfig);
  const open = async (connection: Connection): Promise<void> => {
    const hub = connectHub(name, connection, { settings, telemetry: stack.telemetry, reload });
    const rebalancers = await rebalancersOf(hub, connection);
    hubs.opened(hub, connection);
    await stack.resume(name, rebalancers);
    await stack.resync(name);
  };
  const stay = (tips: string): void => {
    if (options.once) return;
    print(tips);
    parts.defer(narrate({ stack, print }));
  };
  if (real !== undefined) {
    await open(real.connection);
    const files = writeWebhookFiles(folder, { url: hookUrl, token, cert: real.tls.cert });
    const cameTrue = await playOnHub(options.story, real.connection, { hubName: name, stack, print });
    stay(realHubTips({ hookUrl, files, settings }));
    return cameTrue;
  }
  const practiceStarting = startPracticeHub({ port: options.port, folder, hookUrl, hookToken: token });
  const practice = parts.adopt(await listening(options.port, practiceStarting), (started) => started.close());
  await open(practice.connection);
  const cameTrue = await playOnPractice(options.story, practice, { hubName: name, stack, print });
  stay(practiceTips(practice, stack, options.data));
  return cameTrue;
}

async function connectionGiven({ kubeconfig, estimator }: Options): Promise<Connection | undefined> {
  if (kubeconfig === undefined) return undefined;
  const connection = await connectionFromKubeconfig(kubeconfig);
  const choice = readEstimator(estimator);
  if (choice === undefined || choice === 'none') return connection;
  // Read as a secret is, so that what is wrong with it is said before anything starts.
  return parseConnection(REAL_HUB, JSON.stringify({ ...connection, estimator: choice }));
}

/** By name. A hub that does not answer, or not to us, is better said now than found in the log. */
async function rebalancersOf(hub: Hub, { server }: Connection): Promise<readonly string[]> {
  const names: string[] = [];
  try {
    for await (const page of hub.list(workloadRebalancers)) names.push(...page.map(({ name }) => name));
    return names;
  } catch (thrown) {
    const { message, reason } = asFault(thrown);
    throw new Fault('terminal', `the hub at ${server} cannot be used: ${message}`, { reason, cause: thrown });
  }
}

type Around = Pick<Scene, 'hubName' | 'stack' | 'print'>;

async function playOnPractice(name: string, practice: PracticeHub, around: Around): Promise<boolean> {
  const story = stories[name];
  return story === undefined || told(story, around, () => onPractice(practice, around, (scene) => story.play(scene)));
}

async function playOnHub(name: string, connection: Connection, around: Around): Promise<boolean> {
  const story = stories[name];
  if (story?.on !== 'any hub') return true;
  return told(story, around, () => onHub(connection, around, (scene) => story.play(scene)));
}

/** Whether the story came true. */
async function told(story: Story, { stack, print }: Around, play: () => Promise<void>): Promise<boolean> {
  print(`Story: ${story.title}.\n`);
  try {
    await play();
    print('\nEvery step came true.');
    return true;
  } catch (thrown) {
    print(`\nA step did not come true: ${thrown instanceof Error ? thrown.message : ''}`);
    for (const { queue, reason, error } of stack.deadLetters) print(`dead letter of ${queue}: ${reason}: ${error}`);
    return false;
  }
}

async function listening<T>(port: number, started: Promise<T>): Promise<T> {
  try {
    return await started;
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException;
    if (code !== 'EADDRINUSE' && code !== 'EACCES') throw thrown;
    const why = code === 'EADDRINUSE' ? 'is in use' : 'may not be used';
    throw new Fault('terminal', `port ${port} ${why}; name another with --port N, or --port 0 for any free one`, {
      reason: 'PortUnusable',
      cause: thrown,
    });
  }
}
