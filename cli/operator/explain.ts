/** `evenkeel explain`: the history of a workload's placement. */
import type { Command } from 'commander';
import type { WorkloadAnswer } from '../../shared/console-api/operations/fleet.ts';
import type { Ask, InputOf, OutputOf } from '../../shared/console-api/operations.ts';
import { asFault, invalidOption } from '../../shared/core/fault.ts';
import { ownValue } from '../../shared/core/own-value.ts';
import type { ObjectKey } from '../../shared/kubernetes/object-key.ts';
import { aligned } from '../aligned.ts';
import { USUAL_NAMESPACE } from '../hub-options.ts';
import { namedWorkloads } from '../rebalance/named-workloads.ts';
import { type Output, outputOption, printedList } from './printed-rows.ts';
import { type DeploymentAddress, hubOf, reach, withHub } from './reach.ts';

interface ExplainOptions extends DeploymentAddress {
  readonly namespace?: string;
  readonly output: Output;
}

const examples = `
Examples:
  evenkeel explain deploy/web -n shop
  evenkeel explain binding shop/web-deployment
  evenkeel explain binding web-deployment -n shop -o yaml`;

const BINDING = /^(binding|rb|resourcebinding|crb|clusterresourcebinding)s?$/;

export function registerExplain(evenkeel: Command): void {
  withHub(evenkeel.command('explain'))
    .description('how a binding came to be as it is: what was seen, decided and written, newest first')
    .argument('<workload>', 'binding, or a workload: deploy/web, deployment/shop/web, or its kind')
    .argument('[name]', 'of the workload, or of the binding: NAMESPACE/NAME or its name')
    .option('-n, --namespace <namespace>', `${USUAL_NAMESPACE} unless given; "-" for a ClusterResourceBinding`)
    .addOption(outputOption())
    .addHelpText('after', examples)
    .action(async (kind: string, name: string | undefined, options: ExplainOptions) => {
      const keys = keysOf(kind, name, options);
      const ask = reach(options);
      const hub = await hubOf(ask, options);
      const { which, answer } = await firstFound(ask, hub, keys);
      const trace = await traced(ask, which);
      const history = [...answer.history, ...trace.history].sort((a, b) => (a.at < b.at ? 1 : -1));
      process.stdout.write(`${await explained({ ...answer, history }, options.output)}\n`);
    });
}

interface FoundBinding {
  readonly which: InputOf<'getWorkload'>;
  readonly answer: WorkloadAnswer;
}

/** The first of these bindings that is there; without one, the error for the first, which is the likeliest. */
async function firstFound(ask: Ask, hub: string, [first, ...others]: readonly ObjectKey[]): Promise<FoundBinding> {
  const read = async ({ namespace, name }: ObjectKey): Promise<FoundBinding> => {
    const which = { hub, namespace: namespace || '-', name };
    return { which, answer: await ask('getWorkload', which) };
  };
  if (first === undefined) throw new Error('a workload has at least one possible binding');
  try {
    return await read(first);
  } catch (thrown) {
    if (asFault(thrown).reason !== 'NotFound') throw thrown;
    for (const key of others) {
      const found = await read(key).catch((later: unknown) => later);
      if (!(found instanceof Error)) return found as FoundBinding;
    }
    throw thrown;
  }
}

/** Logs may be slow, or not readable for the user: the other results are still printed. */
async function traced(ask: Ask, which: InputOf<'traceBinding'>): Promise<OutputOf<'traceBinding'>> {
  return ask('traceBinding', which).catch((thrown: unknown) => {
    process.stderr.write(`evenkeel: without what the functions logged: ${asFault(thrown).message}\n`);
    return { history: [] };
  });
}

function keysOf(kind: string, name: string | undefined, { namespace }: ExplainOptions): readonly ObjectKey[] {
  if (!BINDING.test(kind)) {
    const words = name === undefined ? [kind] : [kind, name];
    return namedWorkloads(words, { given: namespace, usual: USUAL_NAMESPACE }).flatMap(({ bindings }) => bindings);
  }
  if (name === undefined)
    throw invalidOption(`the name of the ${kind} is missing; that of Deployment web is web-deployment`);
  const [first = '', second] = name.split('/');
  if (second !== undefined) return [{ namespace: first, name: second }];
  const inNamespace = namespace ?? USUAL_NAMESPACE;
  return [{ namespace: inNamespace === '-' ? '' : inNamespace, name: first }];
}

async function explained(answer: WorkloadAnswer, output: Output): Promise<string> {
  const whole = { columns: [], lines: [{ cells: [], name: '', item: answer }], document: answer, none: '' };
  if (output !== 'table' && output !== 'wide' && output !== 'name') return printedList(whole, output);
  const { key, workload, clusters, plan, history, replicas } = answer;
  if (output === 'name') return `binding/${key.namespace}/${key.name}`;
  const held = clusters.some((cluster) => cluster.held !== undefined);
  const head = ['CLUSTER', 'ASSIGNED', 'READY', 'STEADY', 'FRESH', ...(held ? ['KEEPS', 'UNTIL'] : [])];
  const names = new Set([...clusters.map(({ name }) => name), ...Object.keys(plan.fresh ?? {})]);
  const shares = [...names].sort().map((name) => {
    const { assigned = 0, ready = 0, held: kept } = clusters.find((cluster) => cluster.name === name) ?? {};
    const planned = [plan.steady, plan.fresh].map((numbers) =>
      numbers === null ? '-' : String(ownValue(numbers, name) ?? 0),
    );
    const keeps = held ? [String(kept?.replicas ?? '-'), kept?.until ?? '-'] : [];
    return [name, String(assigned), String(ready), ...planned, ...keeps];
  });
  const moments = history.map(({ at, who, what, text, id }) => [
    at,
    what,
    who,
    id === undefined ? text : `${text} (${id})`,
  ]);
  return [
    `${workload.kind} ${workload.namespace}/${workload.name}, ${replicas} replicas`,
    '',
    ...aligned([head, ...shares], { right: [1, 2, 3, 4, 5] }),
    '',
    `A rebalance now would move ${plan.moves}: ${plan.reason}`,
    '',
    ...(moments.length === 0 ? ['No history recorded.'] : aligned(moments, { text: 3 })),
  ].join('\n');
}
