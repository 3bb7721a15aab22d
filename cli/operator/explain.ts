/** `evenkeel explain`: the history of a workload's placement. */
import type { Command } from 'commander';
import { stringify } from 'yaml';
import type { WorkloadAnswer } from '../../shared/console-api/operations/fleet.ts';
import type { Ask, InputOf, OutputOf } from '../../shared/console-api/operations.ts';
import { asFault, invalidOption } from '../../shared/core/fault.ts';
import { ownValue } from '../../shared/core/own-value.ts';
import { aligned } from '../aligned.ts';
import { type Output, outputOption } from './printed-rows.ts';
import { type DeploymentAddress, hubOf, reach, withHub } from './reach.ts';

interface ExplainOptions extends DeploymentAddress {
  readonly namespace?: string;
  readonly output: Output;
}

const examples = `
Examples:
  evenkeel explain binding shop/web-deployment
  evenkeel explain binding web-deployment -n shop -o yaml`;

export function registerExplain(evenkeel: Command): void {
  withHub(evenkeel.command('explain'))
    .description('how a binding came to be as it is: what was seen, decided and written, newest first')
    .argument('<kind>', 'binding')
    .argument('<name>', 'NAMESPACE/NAME of the binding, or its name with -n')
    .option('-n, --namespace <name>', 'of the binding; "-" for a ClusterResourceBinding')
    .addOption(outputOption())
    .addHelpText('after', examples)
    .action(async (kind: string, name: string, options: ExplainOptions) => {
      if (!/^(binding|rb|resourcebinding|crb|clusterresourcebinding)s?$/.test(kind))
        throw invalidOption(
          `${kind} can't be explained, only binding; that of Deployment web is called web-deployment`,
        );
      const ask = reach(options);
      const which = { hub: await hubOf(ask, options), ...keyOf(name, options) };
      const answer = await ask('getWorkload', which);
      const trace = await traced(ask, which);
      const history = [...answer.history, ...trace.history].sort((a, b) => (a.at < b.at ? 1 : -1));
      process.stdout.write(`${explained({ ...answer, history }, options.output)}\n`);
    });
}

/** Logs may be slow, or not readable for the user: the other results are still printed. */
async function traced(ask: Ask, which: InputOf<'traceBinding'>): Promise<OutputOf<'traceBinding'>> {
  return ask('traceBinding', which).catch((thrown: unknown) => {
    process.stderr.write(`evenkeel: without what the functions logged: ${asFault(thrown).message}\n`);
    return { history: [] };
  });
}

function keyOf(text: string, { namespace }: ExplainOptions): { readonly namespace: string; readonly name: string } {
  const [first = '', second] = text.split('/');
  if (second !== undefined) return { namespace: first || '-', name: second };
  if (namespace !== undefined) return { namespace, name: first };
  throw invalidOption(`${text}: the namespace is missing; write NAMESPACE/${text}, or add -n`);
}

function explained(answer: WorkloadAnswer, output: Output): string {
  if (output === 'json') return JSON.stringify(answer, undefined, 2);
  if (output === 'yaml') return stringify(answer).trimEnd();
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
