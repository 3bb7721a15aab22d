/** `evenkeel plan`: what a rebalance would do. Reads a hub or files, and writes nothing. */
import { type Command, Option } from 'commander';
import { stringify } from 'yaml';
import { invalidOption } from '../shared/core/fault.ts';
import { type HubOptions, type NamespaceOptions, takesHub, takesNamespace, takesOutput } from './hub-options.ts';
import { hasElastic } from './plan/elastic-input.ts';
import { explainPlan } from './plan/explain-plan.ts';
import { objectsOfFiles } from './plan/objects-of-files.ts';
import { objectsOfHub } from './plan/objects-of-hub.ts';
import { type BindingsPlan, isMissing, planBindings } from './plan/plan-bindings.ts';
import { planDocument } from './plan/plan-document.ts';
import type { ForecastInput } from './plan/plan-input.ts';
import { previewElastic } from './plan/preview-elastic.ts';
import { previewPolicy } from './plan/preview-policy.ts';
import { printTable } from './plan/print-plan.ts';
import type { PrintedPlan } from './plan/printed.ts';
import { type HubDocument, readDocuments } from './plan/read-documents.ts';
import { usualKubeconfig } from './plan/usual-kubeconfig.ts';
import { coloursOf } from './terminal.ts';

interface PlanCommandOptions extends HubOptions, NamespaceOptions {
  readonly file?: readonly string[];
  readonly rebalancer?: string;
  readonly policy?: string;
  readonly trigger?: readonly string[];
  readonly explain?: boolean;
  readonly output: 'table' | 'wide' | 'json' | 'yaml' | 'name';
}

const MOVES = 3;
const NOT_WHOLE = 2;

const after = `
With -f alone no hub is read. With -f and --kubeconfig, the files' objects replace those of the hub, so that
a WorkloadRebalancer can be tried before it is created. A WorkloadRebalancer among the input restricts the plan to
the workloads that it names.

With ElasticWorkloads among the files it shows what each of their clusters would get, and in which steps, from the
PlacementDecisions, ManagedClusters, ManifestWorks and CustomResourceDefinitions beside them.

With --policy it shows what that RebalancePolicy would do: its waves, the skipped workloads and the reasons, for the
workloads that are named, or of all. The policy may be among the files, so that it can be tried before it is created.

Exit code: 0 nothing would move, 3 replicas would move, 2 the input is wrong or could not all be read.

Examples:
  evenkeel plan                                  every binding of the hub that kubectl talks to
  evenkeel plan -n shop web                      one workload, with the reasons for each cluster
  evenkeel plan --kubeconfig hub -f rebalancer.yaml
  evenkeel plan -f examples/plan/elastic
  evenkeel plan -o name | xargs evenkeel rebalance
  evenkeel plan --policy failback --trigger ClusterRecovered=member1
  kubectl get clusters,resourcebindings -A -o json | evenkeel plan -f - -o json`;

export function registerPlan(evenkeel: Command): void {
  const command = evenkeel
    .command('plan')
    .description('show what a rebalance would do, without doing it')
    .argument('[name...]', 'of bindings (web-deployment) or workloads (web, deployment/web); all unless given')
    .option('-f, --file <file>', 'a file or folder, YAML or JSON, or - for stdin; again for more', collect)
    .option('--rebalancer <name>', 'only what this WorkloadRebalancer names')
    .addOption(
      new Option('--policy <name>', 'what this RebalancePolicy would do, were what it waits for to come now').conflicts(
        'rebalancer',
      ),
    )
    .option('--trigger <type[=cluster]>', 'with --policy: only this trigger; again for more', collect)
    .option('--explain', 'give the reason for the replicas of each cluster; the default for named bindings');
  takesHub(takesNamespace(takesOutput(command, ['wide', 'json', 'yaml', 'name']), 'all'));
  command.addHelpText('after', after).action(async (names: string[], options: PlanCommandOptions) => {
    const { policy, trigger, output } = options;
    if (policy === undefined && trigger !== undefined)
      throw invalidOption(`--trigger ${trigger.join(', ')} goes with --policy; name the RebalancePolicy too`);
    const explain = options.explain ?? (names.length > 0 || output === 'wide');
    const { text, notes, unread, moves } =
      policy === undefined
        ? await previewWorkloads(names, { ...options, explain })
        : await previewPolicy(names, { ...options, policy, explain, output: formOf(output, '--policy') });
    for (const note of [...unread.map((fault) => `left out: ${fault}`), ...notes])
      process.stderr.write(`evenkeel: ${note}\n`);
    if (text !== '') process.stdout.write(`${text.trimEnd()}\n`);
    // A plan with unread objects is incomplete, so it has its own exit code.
    process.exitCode = unread.length > 0 ? NOT_WHOLE : moves ? MOVES : 0;
  });
}

function collect(file: string, files: readonly string[] = []): readonly string[] {
  return [...files, file];
}

/** Plans the ElasticWorkloads if there are some among the files; otherwise the bindings. */
async function previewWorkloads(
  names: readonly string[],
  options: PlanCommandOptions & { explain: boolean },
): Promise<PrintedPlan> {
  const { file: files = [] } = options;
  const documents = files.length === 0 ? undefined : await readDocuments(files, process.stdin);
  if (documents !== undefined && hasElastic(documents))
    return previewElastic(documents, names, { ...options, output: formOf(options.output, 'ElasticWorkloads') });
  return previewBindings(names, { ...options, documents });
}

function formOf(output: PlanCommandOptions['output'], what: string): 'table' | 'json' | 'yaml' {
  if (output === 'name') throw invalidOption(`-o name is for bindings, not for ${what}; use -o json`);
  return output === 'wide' ? 'table' : output;
}

interface BindingOptions extends PlanCommandOptions {
  readonly explain: boolean;
  readonly documents: readonly HubDocument[] | undefined;
}

async function previewBindings(names: readonly string[], options: BindingOptions): Promise<PrintedPlan> {
  const input = await read(options);
  const { namespace } = options;
  const plan = planBindings(input, { names, ...(namespace !== undefined && { namespace }) });
  const moves = plan.bindings.some((each) => !isMissing(each) && each.moves > 0);
  return { text: print(plan, input, options), notes: [...input.notes, ...plan.notes], unread: input.unread, moves };
}

function print(
  { bindings }: BindingsPlan,
  { clusters }: ForecastInput,
  { output, explain }: { readonly output: PlanCommandOptions['output']; readonly explain: boolean },
): string {
  if (output === 'json') return JSON.stringify(planDocument(bindings), undefined, 2);
  if (output === 'yaml') return stringify(planDocument(bindings));
  if (output === 'name') return moving(bindings).join('\n');
  const colours = coloursOf();
  return explain ? explainPlan(bindings, clusters, colours) : printTable(bindings, colours);
}

/** As arguments of `evenkeel rebalance`: "deployment/shop/web". */
function moving(bindings: BindingsPlan['bindings']): readonly string[] {
  return bindings.flatMap((plan) => {
    if (isMissing(plan) || plan.moves === 0) return [];
    const { kind, namespace, name } = plan.binding.spec.resource;
    return [[kind.toLowerCase(), namespace, name].filter((part) => part !== '').join('/')];
  });
}

async function read(options: BindingOptions): Promise<ForecastInput> {
  const { documents, namespace, rebalancer, kubeconfig, context } = options;
  if (documents === undefined) return objectsOfHub({ ...options, kubeconfig: kubeconfig ?? usualKubeconfig() });
  const given = objectsOfFiles(documents, namespace);
  if (kubeconfig === undefined && context === undefined) return onlyRebalancer(given, rebalancer);
  const named = rebalancer !== undefined && !given.rebalancers.has(rebalancer);
  const meant = named ? given : onlyRebalancer(given, rebalancer);
  const workloads = [...meant.rebalancers.values()].flat();
  const hub = await objectsOfHub({
    kubeconfig: kubeconfig ?? usualKubeconfig(),
    ...(context !== undefined && { context }),
    ...(namespace !== undefined && { namespace }),
    ...(named && { rebalancer }),
    ...(!named && meant.rebalancers.size > 0 && { workloads }),
  });
  return over(hub, named ? { ...given, rebalancers: new Map() } : meant);
}

function onlyRebalancer(input: ForecastInput, name: string | undefined): ForecastInput {
  if (name === undefined) return input;
  const workloads = input.rebalancers.get(name);
  if (workloads !== undefined) return { ...input, rebalancers: new Map([[name, workloads]]) };
  const known = [...input.rebalancers.keys()].join(', ') || 'none';
  throw invalidOption(`--rebalancer ${name}: the files have no WorkloadRebalancer of that name (they have: ${known})`);
}

/** Objects of the files replace those of the hub with the same name. */
function over(hub: ForecastInput, files: ForecastInput): ForecastInput {
  return {
    clusters: new Map([...hub.clusters, ...files.clusters]),
    bindings: new Map([...hub.bindings, ...files.bindings]),
    rebalancers: new Map([...hub.rebalancers, ...files.rebalancers]),
    modelled: new Set([...hub.modelled, ...files.modelled]),
    withoutEnablements: files.withoutEnablements,
    notes: [...hub.notes, ...files.notes],
    unread: [...hub.unread, ...files.unread],
  };
}
