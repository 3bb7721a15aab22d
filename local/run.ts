/** A local run from start to end: the stack, its hub, a story, and then interactive use. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { HubEstimators } from '../shared/aws/hub-estimators.ts';
import type { Answerers } from '../shared/console-api/operations-app.ts';
import { asFault, Fault, isNotServed } from '../shared/core/fault.ts';
import { environmentOf, readSettings } from '../shared/core/settings.ts';
import { elasticGroups } from '../shared/elastic-workload/elastic-groups.ts';
import { elasticKind } from '../shared/elastic-workload/elastic-workload.ts';
import { readEstimator } from '../shared/estimator/estimator-choice.ts';
import { connectHub } from '../shared/kubernetes/client/connect-hub.ts';
import { type Connection, parseConnection } from '../shared/kubernetes/client/connection.ts';
import { connectionFromKubeconfig } from '../shared/kubernetes/client/kubeconfig.ts';
import type { Hub } from '../shared/kubernetes/hub.ts';
import { listAll, mayList, pagesIfServed } from '../shared/kubernetes/list-all.ts';
import { moveBudgets } from '../shared/move-budget/move-budget.ts';
import { timeLeft } from '../shared/runtime/moment.ts';
import { workloadRebalancers } from '../shared/workload-rebalancer/workload-rebalancer.ts';
import { Cleanup } from './cleanup.ts';
import { systemClock } from './clock.ts';
import { openDataFolder } from './data-folder.ts';
import { hookKeyPair, hookToken, writeWebhookFiles } from './hook-access.ts';
import { localConnections } from './local-connections.ts';
import { LocalHubs } from './local-hubs.ts';
import { localRegistry } from './local-registry.ts';
import { narrate } from './narrate.ts';
import type { LocalRunOptions } from './options.ts';
import { startPage } from './page.ts';
import { PauseFile } from './pause-file.ts';
import { PRACTICE_HUB, type PracticeHub, startPracticeHub } from './practice.ts';
import { practiceAnswerer } from './practice-commands.ts';
import { startStack } from './stack.ts';
import { onHub } from './stories/hub-scene.ts';
import { onPractice } from './stories/practice-scene.ts';
import type { Scene, Story } from './stories/scene.ts';
import { stories } from './stories/stories.ts';
import { practiceTips, realHubTips } from './tips.ts';

/** The name in cdk.json, so that a hub's webhook calls the same path here and there. */
export const REAL_HUB = 'karmada';

export interface LocalRun {
  /** Whether the story succeeded; true without a story. */
  readonly cameTrue: boolean;
  close(): Promise<void>;
}

/** Throws a terminal Fault with a message for the user if it cannot start; ends what has started. */
export async function startRun(options: LocalRunOptions, print: (line: string) => void): Promise<LocalRun> {
  const cleanup = new Cleanup();
  try {
    return { cameTrue: await runOn(cleanup, options, print), close: () => cleanup.run() };
  } catch (thrown) {
    await cleanup.run();
    throw thrown;
  }
}

async function runOn(cleanup: Cleanup, options: LocalRunOptions, print: (line: string) => void): Promise<boolean> {
  const settings = readSettings({ ...environmentOf(stories[options.story]?.settings ?? {}), ...process.env });
  const given = await connectionGiven(options);
  const name = given === undefined ? PRACTICE_HUB : REAL_HUB;
  const { path: folder } = cleanup.adopt(openDataFolder(options.data), (opened) => opened.discard());
  const real = given && { connection: given, tls: await hookKeyPair(folder) };
  const token = hookToken(folder);
  const hubs = new LocalHubs(name, [token], new PauseFile(join(folder, 'pause.json')));
  const hooksPort = options.port === 0 ? 0 : options.port + 1;
  const estimators = cleanup.adopt(
    new HubEstimators({ hubs, timeoutMs: settings.estimatorTimeoutSeconds * 1000, now: () => systemClock.now() }),
    (made) => made.close(),
  );
  const whereAndHow = {
    folder,
    hooksPort,
    hubs,
    connections: localConnections(hubs),
    registry: localRegistry(hubs),
    estimators,
    settings,
    clock: systemClock,
    newId: randomUUID,
    tracesTo: options.tracesTo,
  };
  const starting = startStack({ ...whereAndHow, ...(real && { hookTls: real.tls }) });
  const stack = cleanup.adopt(await listening(hooksPort, starting), (started) => started.close());
  const hookUrl = `${stack.hook.url}/hubs/${name}/audit`;
  // A kubeconfig's plugin creates tokens that expire within minutes, and a token file is rewritten.
  const { kubeconfig } = options;
  const reload = kubeconfig === undefined ? undefined : () => connectionFromKubeconfig(kubeconfig);
  const open = async (connection: Connection): Promise<void> => {
    const hub = connectHub(name, connection, { settings, telemetry: stack.telemetry, timeLeft, reload });
    const rebalancers = await rebalancersOf(hub, connection);
    hubs.opened(hub, { ...connection, failback: options.failback, budgets: await mayList(hub, moveBudgets) });
    await stack.resume(name, rebalancers);
    await stack.resync(name);
  };
  const running: Running = { cleanup, options, print, stack, hubName: name, folder };
  if (real === undefined)
    return onPracticeHub(running, { hookUrl, token, open, recordsHistory: settings.placementHistoryDays > 0 });
  await open(real.connection);
  const page = await openPage(running);
  const files = writeWebhookFiles(folder, { url: hookUrl, token, cert: real.tls.cert });
  const cameTrue = await playOnHub(options.story, real.connection, running);
  stay(running, () => realHubTips({ hookUrl, files, settings, page }));
  return cameTrue;
}

interface Running extends Pick<Scene, 'hubName' | 'stack' | 'print'> {
  readonly cleanup: Cleanup;
  readonly options: LocalRunOptions;
  readonly folder: string;
}

async function onPracticeHub(
  running: Running,
  hook: {
    readonly hookUrl: string;
    readonly token: string;
    readonly open: (connection: Connection) => Promise<void>;
    readonly recordsHistory: boolean;
  },
): Promise<boolean> {
  const { cleanup, options, folder, stack } = running;
  const { hookUrl, token: hookToken, recordsHistory } = hook;
  const { managedClusters = [] } = stories[options.story] ?? {};
  const starting = startPracticeHub({
    port: options.port,
    folder,
    hookUrl,
    hookToken,
    recordsHistory,
    managedClusters,
  });
  const practice = cleanup.adopt(await listening(options.port, starting), (started) => started.close());
  await hook.open(practice.connection);
  const page = await openPage(running, { practice: practiceAnswerer(practice, stack.telemetry) });
  const cameTrue = await playOnPractice(options.story, practice, running);
  stay(running, () => practiceTips(practice, { stack, data: options.data, page }));
  return cameTrue;
}

/** Its address. Not started if only a story is played. */
async function openPage({ cleanup, options, stack, print }: Running, more: Answerers = {}): Promise<string> {
  if (options.once) return '';
  const port = options.port === 0 ? 0 : options.port + 2;
  const metrics = () => stack.telemetry.prometheus();
  const starting = startPage({ port, answerers: { ...stack.answerers, ...more }, metrics, print });
  const { url } = cleanup.adopt(await listening(port, starting), (started) => started.close());
  print(`The page is at ${url}\n`);
  return url;
}

function stay({ cleanup, options, stack, print }: Running, tips: () => string): void {
  if (options.once) return;
  print(tips());
  cleanup.defer(narrate({ stack, print }));
}

async function connectionGiven({ kubeconfig, estimator }: LocalRunOptions): Promise<Connection | undefined> {
  if (kubeconfig === undefined) return undefined;
  const connection = await connectionFromKubeconfig(kubeconfig);
  const choice = readEstimator(estimator);
  if (choice === undefined || choice === 'none') return connection;
  // Read as a secret is, so that an error is reported before anything starts.
  return parseConnection(REAL_HUB, JSON.stringify({ ...connection, estimator: choice }));
}

/** By name. A hub that cannot be reached or rejects the credential is reported now, and not only in the log. */
async function rebalancersOf(hub: Hub, { server }: Connection): Promise<readonly string[]> {
  try {
    return await listAll(hub, workloadRebalancers, ({ name }) => name).then((found) => found.map(({ name }) => name));
  } catch (thrown) {
    if (isNotServed(thrown) && (await servesElasticWorkloads(hub))) return [];
    const { message, reason } = asFault(thrown);
    throw new Fault('terminal', `the hub at ${server} cannot be used: ${message}`, { reason, cause: thrown });
  }
}

/** As on a hub of Open Cluster Management after `evenkeel hub manifests --elastic-workloads`. */
async function servesElasticWorkloads(hub: Hub): Promise<boolean> {
  return (await pagesIfServed(hub, elasticKind(elasticGroups[0]))) !== undefined;
}

type RunContext = Pick<Scene, 'hubName' | 'stack' | 'print'>;

async function playOnPractice(name: string, practice: PracticeHub, context: RunContext): Promise<boolean> {
  const story = stories[name];
  return (
    story === undefined || narrated(story, context, () => onPractice(practice, context, (scene) => story.play(scene)))
  );
}

async function playOnHub(name: string, connection: Connection, context: RunContext): Promise<boolean> {
  const story = stories[name];
  if (story?.on !== 'any hub') return true;
  return narrated(story, context, () => onHub(connection, context, (scene) => story.play(scene)));
}

/** Whether the story succeeded. */
async function narrated(story: Story, { stack, print }: RunContext, play: () => Promise<void>): Promise<boolean> {
  print(`Story: ${story.title}.\n`);
  try {
    await play();
    print('\nEvery step succeeded.');
    return true;
  } catch (thrown) {
    print(`\nA step failed: ${thrown instanceof Error ? thrown.message : ''}`);
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
