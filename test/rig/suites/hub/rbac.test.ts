/** The account of docs/start/connect-a-hub.md has exactly the permissions in the table of functions. */
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { REAL_HUB } from '../../../../local/run.ts';
import { functionNames, functions, type HubAccess } from '../../../../shared/bus/functions.ts';
import { resourcePath } from '../../../../shared/kubernetes/resource.ts';
import { clusterDrains } from '../../../../shared/rebalance-policy/cluster-drain.ts';
import { rebalancePolicies } from '../../../../shared/rebalance-policy/rebalance-policy.ts';
import { run } from '../../command.ts';
import { pem } from '../../parts/certificates.ts';
import { type Hub, startHub } from '../../parts/hub.ts';
import { writeKubeconfig } from '../../parts/kubeconfig.ts';
import { deploymentIn, HubClient, REBALANCERS } from '../hub-client.ts';
import { rigOfSuite } from '../rig-of-suite.ts';

interface RulesReview {
  readonly status: {
    readonly resourceRules: readonly {
      verbs: string[];
      apiGroups: string[];
      resources: string[];
      resourceNames?: string[];
    }[];
  };
}

const CLI = join(import.meta.dirname, '..', '..', '..', '..', 'cli', 'evenkeel.ts');
const POLICIES = resourcePath(rebalancePolicies);
const DRAINS = resourcePath(clusterDrains);

/** A name of this run, so that a rig which stays up can be used again. */
const NAME = `rbac-${Date.now().toString(36)}`;

let hub: Hub;
let ours: HubClient;

beforeAll(async () => {
  hub = await startHub(rigOfSuite());
  ours = await HubClient.of(hub.kubeconfig);
  const administrator = await HubClient.of(hub.adminKubeconfig);
  await administrator.bindings(NAME, ['web']);
  await administrator.rebalancer(NAME, [deploymentIn(NAME, 'web')]);
});

/** API groups in which every account may review its own permissions. */
const SELF_REVIEW_GROUPS = ['authorization.k8s.io', 'authentication.k8s.io'];

describe('the shipped RBAC', () => {
  it('grants each verb that a function uses, and no other', async () => {
    const review = await ours.create<RulesReview>('/apis/authorization.k8s.io/v1/selfsubjectrulesreviews', {
      spec: { namespace: NAME },
    });
    const granted = review.status.resourceRules
      .filter(({ apiGroups }) => !apiGroups.some((group) => SELF_REVIEW_GROUPS.includes(group)))
      .flatMap(({ apiGroups, resources, verbs }) => cross(apiGroups, resources, verbs));
    const needed = functionNames
      .flatMap((name): readonly HubAccess[] => functions[name].hub)
      .filter(({ ofOwnAccount, onlyWhere }) => !ofOwnAccount && onlyWhere !== 'countPods')
      .flatMap(({ group, resource, verbs }) => cross([group], [resource], verbs));
    expect([...new Set(granted)].sort()).toEqual([...new Set(needed)].sort());
  });

  it.each([
    ['read a secret', 'GET', '/api/v1/namespaces/kube-system/secrets'],
    ['create a RebalancePolicy', 'POST', POLICIES],
    ['change the spec of a RebalancePolicy', 'PATCH', `${POLICIES}/${NAME}`],
    ['delete a RebalancePolicy', 'DELETE', `${POLICIES}/${NAME}`],
    ['change the spec of a rebalancer', 'PATCH', `${REBALANCERS}/${NAME}`],
    ['delete a binding', 'DELETE', `/apis/work.karmada.io/v1alpha2/namespaces/${NAME}/resourcebindings/web-deployment`],
    ['change the status of a cluster', 'PATCH', '/apis/cluster.karmada.io/v1alpha1/clusters/member1/status'],
    ['delete a cluster', 'DELETE', '/apis/cluster.karmada.io/v1alpha1/clusters/member1'],
    ['change a policy', 'PATCH', `/apis/policy.karmada.io/v1alpha1/namespaces/${NAME}/propagationpolicies/web`],
    ['change a Deployment', 'PATCH', `/apis/apps/v1/namespaces/${NAME}/deployments/web`],
    ['read events', 'GET', `/api/v1/namespaces/${NAME}/events`],
    ['extend its own permissions', 'PATCH', '/apis/rbac.authorization.k8s.io/v1/clusterroles/evenkeel'],
    ['create a token for another account', 'POST', '/api/v1/namespaces/evenkeel/serviceaccounts/default/token'],
    [
      'create a token for the account of the same name in another namespace',
      'POST',
      `/api/v1/namespaces/${NAME}/serviceaccounts/evenkeel/token`,
    ],
    ['read the metrics of the API server', 'GET', '/metrics'],
  ] as const)('does not let the account %s', async (_, method, path) => {
    const { status, body } = await ours.send({
      method,
      path,
      ...(method !== 'GET' && { body: {} }),
      ...(method === 'PATCH' && { contentType: 'application/merge-patch+json' }),
    });
    expect([status, (body as { reason: string }).reason]).toEqual([403, 'Forbidden']);
  });
});

describe('an account that was set up without --policies', () => {
  it('may not read policies, and gets reason Forbidden', async () => {
    const plain = await accountWith('plain');
    const { status, body } = await plain.send({ method: 'GET', path: POLICIES });
    expect([status, (body as { reason: string }).reason]).toEqual([403, 'Forbidden']);
    const bindings = '/apis/work.karmada.io/v1alpha2/resourcebindings?limit=1';
    expect((await plain.send({ method: 'GET', path: bindings })).status).toBe(200);
  });
});

describe('an account that was set up with --drains, without --external-events', () => {
  it('reads ClusterDrains, and may not change, create or delete one', async () => {
    const draining = await accountWith('draining', '--policies', '--graceful-reduction', '--drains');
    // 429 while the API server initializes the storage of a CRD that was just applied.
    const read = async () => (await draining.send({ method: 'GET', path: DRAINS })).status;
    await expect.poll(read, { timeout: 30_000 }).toBe(200);
    const contentType = 'application/merge-patch+json';
    const answers = await Promise.all([
      draining.send({ method: 'PATCH', path: `${DRAINS}/${NAME}`, body: {}, contentType }),
      draining.send({ method: 'POST', path: DRAINS, body: {} }),
      draining.send({ method: 'DELETE', path: `${DRAINS}/${NAME}` }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403]);
  });
});

/** A client of the account `name/name`, which has the permissions of these features. */
async function accountWith(name: string, ...features: readonly string[]): Promise<HubClient> {
  const args = [
    '--hub',
    REAL_HUB,
    '--url',
    hub.hook.url,
    '--account',
    `${name}/${name}`,
    '--only',
    'rbac',
    ...features,
  ];
  await hub.kubectl.typed(await run(process.execPath, [CLI, 'hub', 'manifests', ...args]));
  const token = await hub.kubectl.run('create', 'token', '-n', name, name, '--duration', '1h');
  const kubeconfig = join(hub.folder, `${name}.conf`);
  const { folder, url: server } = hub;
  writeKubeconfig(kubeconfig, { name: hub.name, server, ca: pem(folder, 'ca.crt'), user: { token: token.trim() } });
  return HubClient.of(kubeconfig);
}

function cross(groups: readonly string[], resources: readonly string[], verbs: readonly string[]): readonly string[] {
  return groups.flatMap((group) =>
    resources.flatMap((resource) => verbs.map((verb) => `${verb} ${resource}.${group}`)),
  );
}
