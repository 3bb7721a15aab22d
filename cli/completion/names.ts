/** Reads the names that complete an argument or a value: of the hub of a kubeconfig, or of a deployment. */
import { setTimeout as wait } from 'node:timers/promises';
import * as z from 'zod/mini';
import { ownValue } from '../../shared/core/own-value.ts';
import { clusters } from '../../shared/karmada/assignment/cluster.ts';
import { namespaces } from '../../shared/karmada/rescheduling-policy.ts';
import { contextsOfKubeconfig } from '../../shared/kubernetes/client/kubeconfig.ts';
import type { Hub } from '../../shared/kubernetes/hub.ts';
import { objectMeta, parseObject } from '../../shared/kubernetes/hub-object.ts';
import type { Resource } from '../../shared/kubernetes/resource.ts';
import { workloadKinds } from '../../shared/kubernetes/workload-metadata.ts';
import { rebalancePolicies } from '../../shared/rebalance-policy/rebalance-policy.ts';
import { runningPolicies } from '../approve.ts';
import { chosenNamespace } from '../chosen-namespace.ts';
import { type HubOptions, hubOf, type NamespaceOptions, namespaceOf, USUAL_NAMESPACE } from '../hub-options.ts';
import { openHub } from '../open-hub.ts';
import { type DeploymentAddress, hubOf as hubOfDeployment, reach } from '../operator/reach.ts';
import { type GetContext, HISTORY, things, thingsNamed } from '../operator/things.ts';
import type { MissingName } from './words.ts';

type Names = readonly string[];
type HubNames = (options: HubOptions & NamespaceOptions) => Promise<Names>;
type DeploymentNames = (context: GetContext, operands: Names) => Promise<Names>;

/** A key press waits no longer; a hub that does not answer completes nothing. */
const WAIT_MS = 2000;
const MOST = 500;
const named = z.object({ metadata: objectMeta });

/** By the placeholder of the argument or value, as in `<cluster>`; for commands that read the hub of a kubeconfig. */
const ofHub: Readonly<Record<string, HubNames>> = {
  cluster: async (options) => namesOfKind(await open(options), clusters),
  policy: async (options) => namesOfKind(await open(options), rebalancePolicies),
  namespace: async (options) => namesOfKind(await open(options), namespaces),
  workload: async (options) => {
    const [hub, namespace] = await Promise.all([open(options), chosenNamespace(options)]);
    const lists = workloadKinds.map(async (kind) => {
      const names = await namesOfKind(hub, kind, namespace);
      return names.map((name) => workloadName({ kind: kind.kind, name }));
    });
    return (await Promise.all(lists)).flat();
  },
  run: async (options) =>
    (await runningPolicies(await open(options))).flatMap(({ status }) => status.lastRun?.name ?? []),
  context: (options) => contextsOfKubeconfig(hubOf(options).kubeconfig),
};

/** For commands that read a deployment. */
const ofDeployment: Readonly<Record<string, DeploymentNames>> = {
  thing: async () => [...Object.keys(things), HISTORY],
  hub: async ({ ask }) => (await ask('listHubs', {})).hubs.map(({ name }) => name),
  cluster: (context) => namesOfThings(context, 'clusters'),
  policy: (context) => namesOfThings(context, 'policies'),
  run: (context) => namesOfThings(context, 'runs'),
  'run-or-task': async (context) => {
    const lists = await Promise.all(['runs', 'tasks'].map((list) => namesOfThings(context, list)));
    return lists.flat();
  },
  namespace: async ({ ask, hub }) => {
    const { workloads } = await ask('getFleet', { hub: await hub() });
    return [...new Set(workloads.map(({ key }) => key.namespace))];
  },
  workload: workloadsOf,
  name: (context, [thing = '']) =>
    /^(workloads?|history)$/.test(thing) ? workloadsOf(context) : namesOfThings(context, thing),
};

/** Names of other placeholders are not known: the list is empty. */
export async function namesFor({ placeholder, options: typed, operands }: MissingName): Promise<Names> {
  const { deployment, ...options } = typed as HubOptions & NamespaceOptions & Partial<DeploymentAddress>;
  const read = async () => {
    const ofThatDeployment = deployment === undefined ? undefined : ownValue(ofDeployment, placeholder);
    if (deployment !== undefined && ofThatDeployment !== undefined)
      return ofThatDeployment(contextOf({ ...options, deployment }), operands);
    return ownValue(ofHub, placeholder)?.(options) ?? [];
  };
  return Promise.race([read(), wait(WAIT_MS, [], { ref: false })]);
}

function contextOf(options: NamespaceOptions & DeploymentAddress): GetContext {
  const ask = reach(options);
  return {
    ask,
    hub: () => hubOfDeployment(ask, options),
    namespace: namespaceOf(options, USUAL_NAMESPACE),
    ...{ policy: undefined, search: undefined, limit: MOST },
  };
}

async function open(options: HubOptions): Promise<Hub> {
  return (await openHub(hubOf(options))).hub;
}

/** Of the first page: a key press reads no more. */
async function namesOfKind(hub: Hub, kind: Resource<unknown>, namespace?: string): Promise<Names> {
  const names: Resource<string> = {
    ...kind,
    ...{ metadataOnly: true, pageSize: MOST, parse: (object) => parseObject(named, object, kind.kind).metadata.name },
  };
  for await (const page of hub.list(names, namespace === undefined ? {} : { namespace })) return page;
  return [];
}

async function workloadsOf({ ask, hub, namespace }: GetContext): Promise<Names> {
  const { workloads } = await ask('getFleet', { hub: await hub() });
  return workloads.filter(({ key }) => namespace === undefined || key.namespace === namespace).map(workloadName);
}

/** "web" of "task/web". */
async function namesOfThings(context: GetContext, word: string): Promise<Names> {
  const { lines = [] } = (await thingsNamed(word)?.of.list(context, { thing: word, names: [] })) ?? {};
  return lines.map(({ name }) => name.slice(name.indexOf('/') + 1));
}

/** "deployment/web"; of an ElasticWorkload, whose kind is a phrase, only its name. */
function workloadName({ kind, name }: { readonly kind: string; readonly name: string }): string {
  return kind.includes(' ') ? name : `${kind.toLowerCase()}/${name}`;
}
