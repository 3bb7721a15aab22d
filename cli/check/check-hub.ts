/** Checks whether Evenkeel can work on a hub. Writes nothing to the hub. */
import { asFault, Fault } from '../../shared/core/fault.ts';
import { type Account, userOfAccount } from '../../shared/kubernetes/account-token.ts';
import { errorStatusFault } from '../../shared/kubernetes/client/error-status.ts';
import type { TimedResponse } from '../../shared/kubernetes/hub-clock.ts';
import {
  type HubFeature,
  type HubFeatures,
  hubFeatureNames,
  hubFeatures,
} from '../../shared/kubernetes/hub-features.ts';
import { accessesOf } from '../../shared/manifests/rbac.ts';
import type { ManifestTarget } from '../../shared/manifests/target.ts';
import { checkClockSkew, checkIdentity, checkReachable } from './check-connection.ts';
import {
  budgetKinds,
  checkKinds,
  clusterManagementKinds,
  drainKinds,
  elasticKinds,
  karmadaKinds,
  policyKinds,
} from './check-kinds.ts';
import { checkPermissions, type Right, rightsOf } from './check-permissions.ts';
import type { CheckedHub } from './checked-hub.ts';
import { checkPart, compareParts, isThere } from './compare-manifests.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

export interface HubCheckOptions {
  readonly account: Account;
  /** The features that the user named; features found on the hub are added. */
  readonly features: HubFeatures;
}

/** Throws a Fault if the hub cannot be reached. */
export async function checkHub(
  hub: CheckedHub,
  { account, features: declared }: HubCheckOptions,
): Promise<readonly Finding[]> {
  const reached = await reach(hub);
  const username = await whoAmI(hub);
  const features = await featuresOn(hub, { account, features: declared });
  const apply = (part: string) => applyCommand(hub, { account, features }, part);
  const served = await servedOf(hub);
  const kinds = checkKinds(served, features, apply);
  const target = targetOf(account, features);
  const [rights, parts] = await Promise.all([
    checkRights(hub, { account, features, username, apply }),
    compareParts(hub, target),
  ]);
  return [
    ...[checkReachable(hub.server, reached.version, reached), checkIdentity(username, userOfAccount(account))],
    ...[checkClockSkew(reached), ...kinds],
    ...rights,
    ...parts.map((part) => checkPart(part, apply)),
  ];
}

async function reach(hub: CheckedHub): Promise<TimedResponse & { readonly version: string }> {
  // Only the second request is timed: the first one opens the connection.
  await hub.get('/version');
  const sent = Date.now();
  const response = await hub.get('/version');
  const received = Date.now();
  if (response.status !== 200) throw errorStatusFault('the hub', response, 'get its version');
  const { gitVersion = 'an unknown version' } = response.body as { gitVersion?: string };
  return { sent, received, serverTime: response.serverTime, version: gitVersion };
}

async function whoAmI(hub: CheckedHub): Promise<string> {
  try {
    const review = hub.review<{ userInfo: { username: string } }>('authentication.k8s.io/v1', 'SelfSubjectReview', {});
    return (await review).userInfo.username;
  } catch (thrown) {
    const fault = asFault(thrown);
    if (fault.reason !== 'Unauthorized') throw fault;
    const what = `the hub does not accept the credential of this kubeconfig (401); log in again, or use another kubeconfig`;
    throw new Fault('terminal', what, { reason: 'Unauthorized' });
  }
}

/** Without the permission to call the hook, which the caller of the hook needs. */
function targetOf(account: Account, features: HubFeatures): ManifestTarget {
  return { hub: 'hub', url: 'https://hook.invalid', account, ...features };
}

/** The named features and those found on the hub. */
async function featuresOn(hub: CheckedHub, { account, features }: HubCheckOptions): Promise<HubFeatures> {
  const target = targetOf(account, features);
  const anyServed = async (kinds: typeof policyKinds) =>
    (await Promise.all(kinds.map((kind) => hub.serves(kind)))).some(Boolean);
  const holds = async () => (await isThere(hub, 'hold-policy', target)) || (await isThere(hub, 'hold-webhook', target));
  return {
    ...features,
    policies: features.policies || (await anyServed(policyKinds)),
    drains: features.drains || (await anyServed(drainKinds)),
    budgets: features.budgets || (await anyServed(budgetKinds)),
    elasticWorkloads: features.elasticWorkloads || (await anyServed(elasticKinds)),
    gracefulReduction: features.gracefulReduction || (await holds()),
  };
}

async function servedOf(hub: CheckedHub): Promise<Parameters<typeof checkKinds>[0]> {
  const kinds = [
    ...karmadaKinds,
    ...clusterManagementKinds,
    ...policyKinds,
    ...drainKinds,
    ...budgetKinds,
    ...elasticKinds,
  ];
  const answers = await Promise.all(kinds.map(async (kind) => ((await hub.serves(kind)) ? [kind] : [])));
  return new Set(answers.flat());
}

interface Rights extends HubCheckOptions {
  readonly username: string;
  readonly apply: (part: string) => string;
}

async function checkRights(
  hub: CheckedHub,
  { account, features, username, apply }: Rights,
): Promise<readonly Finding[]> {
  const user = userOfAccount(account);
  const isItself = username === user;
  const mend = apply('rbac');
  const { namespace, name } = account;
  const status = await accountStatus(hub, account);
  if (status === 404) return [fail('account', `ServiceAccount ${namespace}/${name} not found`, mend)];
  const there = status === 200 ? [ok('account', `ServiceAccount ${namespace}/${name} is there`)] : [];
  const rights = rightsOf(accessesOf(features), account);
  try {
    const allowed = await Promise.all(rights.map((right) => mayDo(hub, right, isItself ? undefined : user)));
    const denied = rights.filter((_, i) => !allowed[i]);
    return [...there, ...checkPermissions({ rights, denied, user, mend })];
  } catch (thrown) {
    const fault = asFault(thrown);
    if (fault.reason !== 'Forbidden') throw fault;
    const what = `${username} may not ask what ${user} may do`;
    return [warn('rights', what, 'run this as an administrator, or by a kubeconfig of the account itself')];
  }
}

/** Undefined if the hub serves no ServiceAccounts, as the practice hub: the check is skipped. */
async function accountStatus(hub: CheckedHub, { namespace, name }: Account): Promise<number | undefined> {
  if (!(await hub.serves({ group: '', version: 'v1', plural: 'serviceaccounts' }))) return undefined;
  return (await hub.get(`/api/v1/namespaces/${namespace}/serviceaccounts/${name}`)).status;
}

/** `user`: undefined for the current user. */
async function mayDo(hub: CheckedHub, right: Right, user: string | undefined): Promise<boolean> {
  const kind = user === undefined ? 'SelfSubjectAccessReview' : 'SubjectAccessReview';
  const groups = ['system:serviceaccounts', 'system:authenticated'];
  const spec = { resourceAttributes: right, ...(user !== undefined && { user, groups }) };
  return (await hub.review<{ allowed: boolean }>('authorization.k8s.io/v1', kind, spec)).allowed;
}

/** Features with permissions or manifests that the check compares. */
export const checkedFeatures = hubFeatureNames;

/** The command that applies a part, with all features that are named or found on the hub. */
function applyCommand({ kubectl }: CheckedHub, { account, features }: HubCheckOptions, part: string): string {
  const name = `${account.namespace}/${account.name}`;
  const flags = (names: readonly HubFeature[]) => names.map((feature) => hubFeatures[feature].flag);
  const words = [
    'evenkeel hub manifests',
    ...(part.endsWith('-webhook') ? ['--hub HUB --url HOOK_URL --hook-token-file FILE'] : []),
    ...(name === 'evenkeel/evenkeel' ? [] : [`--account ${name}`]),
    ...flags(checkedFeatures.filter((feature) => features[feature])),
    `--only ${part} | ${kubectl} apply -f -`,
  ];
  return words.join(' ');
}
