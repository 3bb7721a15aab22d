/** `evenkeel drain` and `evenkeel uncordon`: create and delete the ClusterDrain of a cluster. */
import { type Command, Option } from 'commander';
import { invalidOption } from '../shared/core/fault.ts';
import { type Instant, SECOND } from '../shared/core/time.ts';
import type { Hub } from '../shared/kubernetes/hub.ts';
import { clusterDrains } from '../shared/rebalance-policy/cluster-drain.ts';
import { type NewDrain, newDrain } from '../shared/rebalance-policy/new-drain.ts';
import type { RebalancePolicy } from '../shared/rebalance-policy/rebalance-policy.ts';
import { createDrain, deleteDrains } from '../shared/rebalance-policy/write-drains.ts';
import { documentText } from './document-text.ts';
import { drainDocument } from './drain/drain-document.ts';
import { followDrain } from './drain/follow-drain.ts';
import { previewDrain } from './drain/preview-drain.ts';
import { type HubOptions, hubOf, parseSeconds, takesHub, takesOutput } from './hub-options.ts';
import { objectName } from './object-name.ts';
import { openHub } from './open-hub.ts';
import type { PolicyPlan } from './plan/plan-policy.ts';
import { policyDocument, printPolicy } from './plan/policy-plans.ts';
import { coloursOf } from './terminal.ts';

type DocumentForm = 'json' | 'yaml';

interface DrainOptions extends HubOptions {
  readonly percent?: string;
  readonly waveSize?: string;
  readonly readyWithin?: string;
  readonly for?: string;
  readonly timeout: string;
  readonly wait: boolean;
  readonly dryRun?: true;
  readonly output: 'table' | DocumentForm;
}

const afterDrain = `
The cluster gets no new replicas, and those that it has move to other clusters in waves: each is removed when its
replacement is ready. What can't move stays, and is named with the reason. The ClusterDrain on the hub is what does it,
so that nothing depends on this command: after Ctrl-C the drain goes on, and the same command follows it again.

Exit code: 0 drained, 1 not all, or not in time, 2 the input is wrong. After Ctrl-C: 130.
With --dry-run: 0 nothing would move, 3 replicas would move.

Examples:
  evenkeel drain member1 --dry-run
  evenkeel drain member1 --timeout 2h
  evenkeel drain member1 --wave-size 5 --no-wait
  evenkeel drain member1 --for 4h
  evenkeel drain member1 --percent 30
  evenkeel drain member1 -o json                 the result as JSON, the progress on standard error
  evenkeel uncordon member1`;

const afterUncordon = `
Replicas come back when they are next scheduled, or at once where a RebalancePolicy waits for the cluster's recovery.

Examples:
  evenkeel uncordon member1`;

const USUAL_TIMEOUT = '1h';
const LARGEST_WAVE = 500;

export function registerDrain(evenkeel: Command): void {
  const drain = evenkeel
    .command('drain')
    .description('move all replicas of a cluster to other clusters, and keep new ones away')
    .argument('<cluster>', 'a member cluster of the hub')
    .option('--percent <number>', "how much of each workload's replicas there moves; 100 unless given, 0 moves none")
    .option('--wave-size <number>', 'how many workloads move at once; 50 unless given')
    .option('--ready-within <time>', 'how long a wave may take, or the drain stops: 5m, 1h; 10m unless given')
    .option('--for <time>', 'end the drain after so long: 30m, 4h; otherwise `evenkeel uncordon` ends it')
    .option('--timeout <time>', 'wait for so long at most', USUAL_TIMEOUT)
    .option('--no-wait', 'create the ClusterDrain, and do not wait')
    .addOption(new Option('--dry-run', 'show what would move where, and what can not and why; create nothing'));
  takesHub(takesOutput(drain, ['json', 'yaml']))
    .addHelpText('after', afterDrain)
    .action(async (cluster: string, options: DrainOptions) => {
      process.exitCode = await drainCluster(cluster, options);
    });
  const uncordon = evenkeel
    .command('uncordon')
    .description('end the drain of a cluster: it gets replicas again')
    .argument('<cluster>', 'a member cluster of the hub');
  takesHub(uncordon)
    .addHelpText('after', afterUncordon)
    .action(async (cluster: string, options: HubOptions) => {
      process.stdout.write(`${await endDrains(cluster, options)}\n`);
    });
}

async function drainCluster(cluster: string, options: DrainOptions): Promise<number> {
  const timeoutSeconds = parseSeconds('--timeout', options.timeout);
  const now = Date.now();
  const drain = newDrain({ cluster, ...shareOf(options), ...wavesOf(options), ...endOf(options, now) });
  const { hub } = await openHub(hubOf(options));
  const form = options.output === 'table' ? undefined : options.output;
  if (options.dryRun) return preview(await previewDrain(hub, drain, cluster), form);
  const text = await create(hub, drain, now);
  // The one document on stdout is the result.
  const stream = form === undefined ? process.stdout : process.stderr;
  stream.write(`${text}\n`);
  const followed = { cluster, name: drain.metadata.name, timeoutSeconds };
  if (form === undefined) return options.wait ? followDrain(hub, followed, { stream }) : 0;
  const onEnd = (read: RebalancePolicy | undefined) => {
    process.stdout.write(`${documentText(drainDocument(cluster, read), form)}\n`);
  };
  if (options.wait) return followDrain(hub, followed, { stream, onEnd });
  onEnd(await hub.get(clusterDrains, { namespace: '', name: followed.name }));
  return 0;
}

function shareOf({ percent }: DrainOptions): { readonly percent?: number } {
  if (percent === undefined) return {};
  const value = Number(percent);
  if (percent.trim() !== '' && Number.isInteger(value) && value >= 0 && value <= 100) return { percent: value };
  throw invalidOption(`--percent ${percent} is not a percentage; write a whole number from 0 to 100`);
}

function endOf({ for: lasting }: DrainOptions, now: Instant): { readonly until?: Instant } {
  if (lasting === undefined) return {};
  const seconds = parseSeconds('--for', lasting);
  if (seconds > 0) return { until: now + seconds * SECOND };
  throw invalidOption(`--for ${lasting} would end the drain at once; write a time, for example 4h`);
}

function wavesOf({ waveSize, readyWithin }: DrainOptions) {
  const size = waveSize === undefined ? undefined : Number(waveSize);
  if (size !== undefined && !(Number.isInteger(size) && size >= 1 && size <= LARGEST_WAVE))
    throw invalidOption(`--wave-size ${waveSize} is not a number of workloads; write 1 to ${LARGEST_WAVE}`);
  const seconds = readyWithin === undefined ? undefined : parseSeconds('--ready-within', readyWithin);
  return {
    ...(size !== undefined && { waveSize: size }),
    ...(seconds !== undefined && { readyWithin: `${seconds}s` }),
  };
}

function preview(plan: PolicyPlan, form: DocumentForm | undefined): number {
  const table = () =>
    `${printPolicy(plan, { colours: coloursOf(), explain: false })}\n\nNothing was created (--dry-run).`;
  process.stdout.write(`${form === undefined ? table() : documentText(policyDocument(plan), form)}\n`);
  return plan.waves.size > 0 ? 3 : 0;
}

async function create(hub: Hub, drain: NewDrain, now: Instant): Promise<string> {
  const { isNew } = await createDrain(hub, drain, now);
  const name = objectName(clusterDrains, drain.metadata.name);
  if (!isNew) return `${name} is there already, and goes on as it is`;
  const { until } = drain.spec;
  return until === undefined ? `${name} created` : `${name} created; it ends at ${until}`;
}

async function endDrains(cluster: string, options: HubOptions): Promise<string> {
  const { hub } = await openHub(hubOf(options));
  const deleted = await deleteDrains(hub, cluster);
  return deleted
    .map(({ name }) => `${objectName(clusterDrains, name)} deleted; ${cluster} gets replicas again`)
    .join('\n');
}
