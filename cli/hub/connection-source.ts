/** The functions' credential for a hub: a token of their ServiceAccount, or their own AWS roles for an EKS cluster. */
import { Fault } from '../../shared/core/fault.ts';
import { elasticWorkloads } from '../../shared/elastic-workload/elastic-workload.ts';
import { type Account, userOfAccount } from '../../shared/kubernetes/account-token.ts';
import { hasAccount, requestToken } from '../../shared/kubernetes/client/account-tokens.ts';
import { clusterFromKubeconfig, connectionFromKubeconfig } from '../../shared/kubernetes/client/kubeconfig.ts';
import { createTransport, type Transport } from '../../shared/kubernetes/client/transport.ts';
import { type Resource, resourcePath } from '../../shared/kubernetes/resource.ts';
import { workloadRebalancers } from '../../shared/workload-rebalancer/workload-rebalancer.ts';
import type { ConnectionSource } from './next-connection.ts';

interface From {
  readonly kubeconfig: string;
  readonly context?: string;
  readonly server?: string;
}

interface ByAccount extends From {
  readonly hub: string;
  readonly account: Account;
  readonly tokenHours: number;
}

const LIMITS = { maxSockets: 1, timeoutMs: 10_000 };

export async function connectionByServiceAccount(given: ByAccount): Promise<ConnectionSource> {
  const { hub, account, tokenHours } = given;
  const user = await connectionFromKubeconfig(given.kubeconfig, given.context);
  const server = given.server ?? user.server;
  const token = await using(createTransport(user, LIMITS), async (transport) => {
    if (!(await hasAccount(transport, account))) {
      const name = `${account.namespace}/${account.name}`;
      throw noAccess(`ServiceAccount ${name} not found on hub ${hub}`, given);
    }
    return requestToken(transport, account, tokenHours * 3600);
  });
  // Uses the server of the kubeconfig: the functions' server may be reachable from their network only.
  const ours = { server: user.server, caData: user.caData, token, hookTokens: [] };
  await using(createTransport(ours, LIMITS), (transport) => tryToken(transport, given));
  return { server, caData: user.caData, credential: { token }, account: userOfAccount(account) };
}

/** Sends no request to the cluster: it grants access to the functions' roles, not to the user of the command. */
export async function connectionByEks(
  given: From & { eks: { name: string; region: string }; user: string },
): Promise<ConnectionSource> {
  const { server, caData } = await clusterFromKubeconfig(given.kubeconfig, given.context);
  return { server: given.server ?? server, caData, credential: { eksCluster: given.eks }, account: given.user };
}

/** A Karmada hub must grant the first, an Open Cluster Management hub the others. */
const KINDS: readonly Resource<unknown>[] = [workloadRebalancers, ...elasticWorkloads];

/** Fails now, instead of as dead-letter messages later. */
async function tryToken(transport: Transport, given: ByAccount): Promise<void> {
  for (const kind of KINDS) {
    const { status } = await transport.send({ method: 'GET', path: `${resourcePath(kind)}?limit=1` });
    if (status === 200) return;
    if (status === 404) continue;
    const who = userOfAccount(given.account);
    throw noAccess(`hub ${given.hub} answered ${status} when ${who} listed ${kind.kind}s`, given);
  }
  throw new Fault(
    'terminal',
    `hub ${given.hub} serves neither WorkloadRebalancers nor ElasticWorkloads; give the kubeconfig of a Karmada hub, or of one of Open Cluster Management that has what evenkeel hub manifests --elastic-workloads prints`,
    { reason: 'NotAHub' },
  );
}

function noAccess(what: string, { hub, kubeconfig, context, account }: ByAccount): Fault {
  const kubectl = `kubectl --kubeconfig ${kubeconfig}${context === undefined ? '' : ` --context ${context}`}`;
  const manifests = `evenkeel hub manifests --hub ${hub} --url HOOK_URL --account ${account.namespace}/${account.name}`;
  return new Fault('terminal', `${what}; make it so with: ${manifests} --only rbac | ${kubectl} apply -f -`, {
    reason: 'NoAccount',
  });
}

async function using<T>(transport: Transport, act: (transport: Transport) => Promise<T>): Promise<T> {
  try {
    return await act(transport);
  } finally {
    transport.close();
  }
}
