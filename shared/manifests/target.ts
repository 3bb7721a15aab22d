/** The target of manifests: a hub by its name, Evenkeel's account there, and the hook's URL. */
import * as z from 'zod/mini';
import { hubName } from '../bus/event.ts';
import { invalidOption } from '../core/fault.ts';
import { shownUrl } from '../core/shown-url.ts';
import type { Account } from '../kubernetes/account-token.ts';
import { featuresOf, type HubFeatures } from '../kubernetes/hub-features.ts';

export interface ManifestTarget extends HubFeatures {
  readonly hub: string;
  readonly account: Account;
  /** The hook's URL, without a hub's path. */
  readonly url: string;
  /** PEM of the CA that signed the hook's certificate; the system's roots where absent. */
  readonly ca?: string;
  /** The token that the hub presents to the hook. */
  readonly hookToken?: string;
}

/** As the user typed it. */
export interface TargetInput extends HubFeatures {
  readonly hub: string;
  readonly account: string;
  readonly url: string;
  readonly ca?: string | undefined;
  readonly hookToken?: string | undefined;
}

const accountForm = /^(?<namespace>[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?)\/(?<name>[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?)$/;

/** Throws a terminal Fault that names the option, the value and the remedy. */
export function parseTarget({ hub, account, url, ca, hookToken, ...features }: TargetInput): ManifestTarget {
  if (!z.safeParse(hubName, hub).success) {
    throw invalidOption(`--hub ${show(hub)} is not a hub name; use a DNS label of at most 40 (a-z, 0-9 and - inside)`);
  }
  if (ca !== undefined && !ca.includes('-----BEGIN CERTIFICATE-----')) {
    throw invalidOption('--ca-file holds no certificate; give a PEM file that begins with -----BEGIN CERTIFICATE-----');
  }
  if (hookToken !== undefined && !/^\S{16,}$/.test(hookToken)) {
    throw invalidOption(
      '--hook-token-file holds no token; give a file with one of the hookTokens, at least 16 characters without spaces',
    );
  }
  return {
    hub,
    account: parseAccount(account),
    url: hookUrl(url, hub),
    ...(ca !== undefined && { ca }),
    ...(hookToken !== undefined && { hookToken }),
    ...featuresOf(features),
  };
}

export function parseAccount(text: string): Account {
  const { namespace, name } = accountForm.exec(text)?.groups ?? {};
  if (namespace !== undefined && name !== undefined) return { namespace, name };
  throw invalidOption(
    `--account ${show(text)} is not NAMESPACE/NAME of a ServiceAccount; write for example evenkeel/evenkeel`,
  );
}

/** The stack's output contains a hub's own URL; the hook is the same with or without the path. */
function hookUrl(text: string, hub: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'https:') {
    throw invalidOption(
      `--url ${shownUrl(text)} is not an https URL; give the stack's output HookUrl: over http an API server sends no token`,
    );
  }
  if (url.username !== '' || url.search !== '' || url.hash !== '') {
    throw invalidOption(
      `--url must have no user, ? or #, which webhook configurations reject; give the stack's output HookUrl`,
    );
  }
  const path = /^(?<base>.*?)(\/hubs\/(?<named>[^/]+)\/audit)?\/?$/.exec(url.pathname)?.groups ?? {};
  if (path.named !== undefined && path.named !== hub) {
    throw invalidOption(
      `--url is the one of hub ${show(path.named)}, and --hub is ${show(hub)}; give the HookUrl of ${hub}`,
    );
  }
  return `${url.origin}${path.base ?? ''}`;
}

function show(text: string): string {
  return JSON.stringify(text.slice(0, 80));
}
