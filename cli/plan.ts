/** `evenkeel plan`: what a rebalance would do. Reads a hub or files, and writes nothing. */
import { type Command, Option } from 'commander';
import { invalidOption } from '../shared/core/fault.ts';
import { chosenNamespace } from './chosen-namespace.ts';
import { CONTEXT_NAMESPACE, type NamespaceOptions, takesHub, takesNamespace, takesOutput } from './hub-options.ts';
import { bindingPlans } from './plan/binding-plans.ts';
import { comparisonPlans } from './plan/comparison-plans.ts';
import { hasElastic } from './plan/elastic-input.ts';
import { elasticPlans } from './plan/elastic-plans.ts';
import { type PlanOptions, printPlan } from './plan/plan-kind.ts';
import { policyPlans } from './plan/policy-plans.ts';
import { readDocuments } from './plan/read-documents.ts';

interface PlanCommandOptions extends Omit<PlanOptions, 'explain'>, NamespaceOptions {
  readonly file?: readonly string[];
  readonly explain?: boolean;
  readonly compare?: string;
}

const after = `
With -f alone no hub is read. With -f and --kubeconfig, the files' objects replace those of the hub, so that
a WorkloadRebalancer can be tried before it is created. A WorkloadRebalancer among the input restricts the plan to
the workloads that it names.

With ElasticWorkloads among the files it shows what each of their clusters would get, and in which steps, from the
PlacementDecisions, ManagedClusters, ManifestWorks, AddOnPlacementScores and CustomResourceDefinitions beside them.

With --policy it shows what that RebalancePolicy would do: its waves, the skipped workloads and the reasons, for the
workloads that are named, or of all. The policy may be among the files, so that it can be tried before it is created.

Without -n and -A it plans the bindings of the context's namespace; with -f, --rebalancer, --policy or --compare those
that they name, of all namespaces.

Bindings are planned in the order in which they are scheduled, and the replicas of one take the capacity that the
next ones would have; --each-alone plans each as if it were the only one.

Exit code: 0 nothing would move, 3 replicas would move, 2 the input is wrong or could not all be read.

Examples:
  evenkeel plan -A                               every binding of the hub that kubectl talks to
  evenkeel plan deploy/web -n shop               one workload, with the reasons for each cluster
  evenkeel plan --kubeconfig hub -f rebalancer.yaml
  evenkeel plan -f examples/plan/elastic
  evenkeel plan -A -o name | xargs evenkeel rebalance
  evenkeel plan -A -o json > plan.json           and after the rebalance: evenkeel plan --compare plan.json
  evenkeel plan --policy failback --trigger ClusterRecovered=member1
  kubectl get clusters,resourcebindings -A -o json | evenkeel plan -f - -o json`;

export function registerPlan(evenkeel: Command): void {
  const command = evenkeel
    .command('plan')
    .description('show what a rebalance would do, without doing it')
    .argument('[workload...]', 'of bindings (web-deployment) or workloads (web, deployment/web); all unless given')
    .option('-f, --file <file>', 'a file or folder, YAML or JSON, or - for stdin; again for more', collect)
    .option('--rebalancer <name>', 'only what this WorkloadRebalancer names')
    .addOption(
      new Option(
        '--policy <policy>',
        'what this RebalancePolicy would do, were what it waits for to come now',
      ).conflicts('rebalancer'),
    )
    .option('--trigger <type[=cluster]>', 'with --policy: only this trigger; again for more', collect)
    .addOption(
      new Option(
        '--compare <file>',
        'after a rebalance: where replicas are not on the clusters of this plan (saved with -o json), and why',
      ).conflicts(['policy', 'trigger', 'eachAlone', 'explain']),
    )
    .addOption(
      new Option('--each-alone', 'plan each binding as if no other were rescheduled').conflicts(['policy', 'trigger']),
    )
    .option(
      '--failback',
      'the hub is registered with --failback: Fresh starts from the first term of clusterAffinities',
    )
    .option('--explain', 'give the reason for the replicas of each cluster; the default for named bindings');
  takesHub(takesNamespace(takesOutput(command, ['wide', 'json', 'yaml', 'name']), CONTEXT_NAMESPACE));
  command.addHelpText('after', after).action(async (names: string[], options: PlanCommandOptions) => {
    const { policy, trigger, output, compare, file: files = [] } = options;
    if (policy === undefined && trigger !== undefined)
      throw invalidOption(`--trigger ${trigger.join(', ')} goes with --policy; name the RebalancePolicy too`);
    const explain = options.explain ?? (names.length > 0 || output === 'wide');
    const documents = files.length === 0 ? undefined : await readDocuments(files, process.stdin);
    const asked = { ...(await withNamespace(options, names)), names, explain };
    if (policy !== undefined) return printPlan(policyPlans(policy), documents, asked);
    if (compare !== undefined) return printPlan(comparisonPlans(compare), documents, asked);
    // ElasticWorkloads among the files are planned instead of bindings.
    if (documents !== undefined && hasElastic(documents)) return printPlan(elasticPlans, documents, asked);
    return printPlan(bindingPlans, documents, asked);
  });
}

/** The context's namespace applies to the bindings of the hub; files, rebalancers, policies and saved plans name their own. */
async function withNamespace(options: PlanCommandOptions, names: readonly string[]): Promise<PlanCommandOptions> {
  const namesOwn = [options.file, options.rebalancer, options.policy, options.compare].some((of) => of !== undefined);
  const isComplete = names.length > 0 && names.every((name) => name.split('/').length === 3);
  if (namesOwn || isComplete) return options;
  const namespace = await chosenNamespace(options);
  return { ...options, ...(namespace !== undefined && { namespace }) };
}

function collect(file: string, files: readonly string[] = []): readonly string[] {
  return [...files, file];
}
