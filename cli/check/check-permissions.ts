/** Decides which permissions of Evenkeel's account to review on a hub, and summarizes the responses. */
import type { HubAccess } from '../../shared/bus/functions.ts';
import { groupBy } from '../../shared/core/group-by.ts';
import type { Account } from '../../shared/kubernetes/account-token.ts';
import { type Finding, fail, ok } from './finding.ts';

/** As in the resource attributes of an access review. */
export interface Right {
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly verb: string;
  /** Empty: all namespaces, or cluster-scoped. */
  readonly namespace: string;
  readonly name: string;
}

/** Each verb on each resource once. */
export function rightsOf(accesses: readonly HubAccess[], account: Account): readonly Right[] {
  const all = accesses.flatMap(({ group, resource: path, verbs, ofOwnAccount }) => {
    const [resource = '', subresource = ''] = path.split('/');
    const where = ofOwnAccount ? account : { namespace: '', name: '' };
    return verbs.map((verb): Right => ({ ...{ group, resource, subresource, verb }, ...where }));
  });
  return [...new Map(all.map((right) => [JSON.stringify(right), right])).values()];
}

interface Denied {
  readonly rights: readonly Right[];
  readonly denied: readonly Right[];
  readonly user: string;
  readonly mend: string;
}

/** One finding per resource; a single one if nothing is granted. */
export function checkPermissions({ rights, denied, user, mend }: Denied): readonly Finding[] {
  if (denied.length === 0) return [ok('rights', `${user} may do all ${rights.length} things that the functions do`)];
  if (denied.length === rights.length)
    return [fail('rights', `${user} may do none of the ${rights.length} things that the functions do`, mend)];
  const byResource = groupBy(denied, resourceOf);
  return [...byResource].map(([resource, each]) => {
    const verbs = each.map(({ verb }) => verb).sort();
    return fail('rights', `${user} may not ${verbs.join(', ')} ${resource}`, mend);
  });
}

/** "workloadrebalancers/status.apps.karmada.io", as kubectl auth can-i takes it. */
function resourceOf({ group, resource, subresource }: Right): string {
  const path = subresource === '' ? resource : `${resource}/${subresource}`;
  return group === '' ? path : `${path}.${group}`;
}
