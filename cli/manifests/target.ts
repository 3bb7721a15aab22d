/** Whom manifests are for: a hub by its name, our account there, and the hook's URL that it calls. */
import * as z from 'zod/mini';
import { hubName } from '../../shared/events/event.ts';
import type { Account } from '../../shared/model/account-token.ts';
import { Fault } from '../../shared/model/fault.ts';

export interface ManifestTarget {
  readonly hub: string;
  readonly account: Account;
  /** Of the hook, without a hub's path. */
  readonly url: string;
  /** PEM of the CA that signed the hook's certificate; the system's roots where absent. */
  readonly ca?: string;
  /** What the hub presents to the hook. */
  readonly hookToken?: string;
  /** Whether bindings of the hub name our scheduler: then their changes are reported too. */
  readonly scheduler?: boolean;
  /** Whether pods are counted in the hub's members: then we may reach into them through the hub's proxy. */
  readonly countPods?: boolean;
  /** Whether RebalancePolicies are used on the hub: then it gets the kind, we the rights for it, and changes are reported. */
  readonly policies?: boolean;
  /** Whether replica reductions are held back on the hub: then its writes of bindings are changed, and what is waited for is reported. */
  readonly reductions?: boolean;
  /** Whether ElasticWorkloads are used on the hub: then it gets the kind, we the rights for it, and what concerns them is reported. */
  readonly elastic?: boolean;
  /** Whether people order rebalances of the deployment, the console's for example: then we may create WorkloadRebalancers. */
  readonly orders?: boolean;
}

/** As a person writes it. */
export interface TargetInput {
  readonly hub: string;
  readonly account: string;
  readonly url: string;
  readonly ca?: string | undefined;
  readonly hookToken?: string | undefined;
  readonly scheduler?: boolean | undefined;
  readonly countPods?: boolean | undefined;
  readonly policies?: boolean | undefined;
  readonly reductions?: boolean | undefined;
  readonly elastic?: boolean | undefined;
  readonly orders?: boolean | undefined;
}

const accountForm = /^(?<namespace>[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?)\/(?<name>[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?)$/;

/** Throws a terminal Fault that names the option, the value and the way out. */
export function parseTarget({ hub, account, url, ca, hookToken, ...rest }: TargetInput): ManifestTarget {
  const { scheduler, countPods, policies, reductions, elastic, orders } = rest;
  if (!z.safeParse(hubName, hub).success) {
    throw wrong(`--hub ${show(hub)} is not a hub name; use a DNS label of at most 40 (a-z, 0-9 and - inside)`);
  }
  if (ca !== undefined && !ca.includes('-----BEGIN CERTIFICATE-----')) {
    throw wrong('--ca-file holds no certificate; give a PEM file that begins with -----BEGIN CERTIFICATE-----');
  }
  if (hookToken !== undefined && !/^\S{16,}$/.test(hookToken)) {
    throw wrong(
      '--hook-token-file holds no token; give a file with one of the hookTokens, at least 16 characters without spaces',
    );
  }
  return {
    hub,
    account: parseAccount(account),
    url: hookUrl(url, hub),
    ...(ca !== undefined && { ca }),
    ...(hookToken !== undefined && { hookToken }),
    ...(scheduler !== undefined && { scheduler }),
    ...(countPods !== undefined && { countPods }),
    ...(policies !== undefined && { policies }),
    ...(reductions !== undefined && { reductions }),
    ...(elastic !== undefined && { elastic }),
    ...(orders !== undefined && { orders }),
  };
}

export function parseAccount(text: string): Account {
  const { namespace, name } = accountForm.exec(text)?.groups ?? {};
  if (namespace !== undefined && name !== undefined) return { namespace, name };
  throw wrong(`--account ${show(text)} is not NAMESPACE/NAME of a ServiceAccount; write for example evenkeel/evenkeel`);
}

/** The stack tells a hub's own URL; with it or without its path, the hook is the same. */
function hookUrl(text: string, hub: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'https:') {
    throw wrong(
      `--url ${show(text)} is not an https URL; give the stack's output HookUrl: over http an API server sends no token`,
    );
  }
  if (url.username !== '' || url.search !== '' || url.hash !== '') {
    throw wrong(
      `--url must have no user, ? or #, which webhook configurations refuse; give the stack's output HookUrl`,
    );
  }
  const path = /^(?<base>.*?)(\/hubs\/(?<named>[^/]+)\/audit)?\/?$/.exec(url.pathname)?.groups ?? {};
  if (path.named !== undefined && path.named !== hub) {
    throw wrong(`--url is the one of hub ${show(path.named)}, and --hub is ${show(hub)}; give the HookUrl of ${hub}`);
  }
  return `${url.origin}${path.base ?? ''}`;
}

function show(text: string): string {
  return JSON.stringify(text.slice(0, 80));
}

export function wrong(message: string): Fault {
  return new Fault('terminal', message, { reason: 'InvalidOptions' });
}
