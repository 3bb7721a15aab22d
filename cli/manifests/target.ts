/** The target of manifests: a hub by its name, Evenkeel's account there, and the hook's URL. */
import * as z from 'zod/mini';
import { hubName } from '../../shared/events/event.ts';
import type { Account } from '../../shared/model/account-token.ts';
import { Fault } from '../../shared/model/fault.ts';
import { shownUrl } from '../shown-url.ts';

export interface ManifestTarget {
  readonly hub: string;
  readonly account: Account;
  /** The hook's URL, without a hub's path. */
  readonly url: string;
  /** PEM of the CA that signed the hook's certificate; the system's roots where absent. */
  readonly ca?: string;
  /** The token that the hub presents to the hook. */
  readonly hookToken?: string;
  /** Whether bindings of the hub name Evenkeel's scheduler: then their changes are reported too. */
  readonly scheduler?: boolean;
  /** Whether pods are counted in the hub's members: then the account may reach them through the hub's proxy. */
  readonly countPods?: boolean;
  /** Whether the hub uses RebalancePolicies: adds the kind, the permissions, and the reported changes. */
  readonly policies?: boolean;
  /** Whether replica reductions are held on the hub: then writes of bindings are mutated, and the objects that they wait for are reported. */
  readonly reductions?: boolean;
  /** Whether the hub uses ElasticWorkloads: adds the kind, the permissions, and the reported changes. */
  readonly elastic?: boolean;
  /** Whether users order rebalances through the deployment, for example in the console: then the account may create WorkloadRebalancers. */
  readonly orders?: boolean;
}

/** As the user typed it. */
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

/** Throws a terminal Fault that names the option, the value and the remedy. */
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

/** The stack's output contains a hub's own URL; the hook is the same with or without the path. */
function hookUrl(text: string, hub: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'https:') {
    throw wrong(
      `--url ${shownUrl(text)} is not an https URL; give the stack's output HookUrl: over http an API server sends no token`,
    );
  }
  if (url.username !== '' || url.search !== '' || url.hash !== '') {
    throw wrong(
      `--url must have no user, ? or #, which webhook configurations reject; give the stack's output HookUrl`,
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
