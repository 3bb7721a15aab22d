/** The options for hub, namespace and output format that all commands share, as in kubectl. */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { type Command, Option } from 'commander';
import { invalidOption } from '../shared/core/fault.ts';
import {
  type HubFeature,
  type HubFeatures,
  hubFeatureNames,
  hubFeatures,
  missingNeeds,
} from '../shared/kubernetes/hub-features.ts';

export interface HubOptions {
  readonly kubeconfig?: string;
  readonly context?: string;
}

export interface NamespaceOptions {
  readonly namespace?: string;
  readonly allNamespaces?: true;
}

/** For commands that access the hub directly, with the permissions of the user. */
export function takesHub(command: Command): Command {
  return command
    .option('--kubeconfig <file>', 'the hub; KUBECONFIG or ~/.kube/config unless given')
    .option('--context <context>', 'a context of the kubeconfig, instead of its current one');
}

/** `meant`: the default namespaces. */
export function takesNamespace(command: Command, meant: string): Command {
  const all = new Option('-A, --all-namespaces', 'of all namespaces').conflicts('namespace');
  return command.option('-n, --namespace <namespace>', `of this namespace only; ${meant} unless given`).addOption(all);
}

/** kubectl's namespace, where neither an option nor a context names one. */
export const USUAL_NAMESPACE = 'default';

/** In the help of commands that use a kubeconfig. */
export const CONTEXT_NAMESPACE = "the context's, or default,";

/** Undefined: all namespaces. */
export function namespaceOf({ namespace, allNamespaces }: NamespaceOptions, usual: string): string | undefined {
  return allNamespaces ? undefined : (namespace ?? usual);
}

/** Adds a flag for each of these features of a hub. */
export function takesFeatures(command: Command, names: readonly HubFeature[]): Command {
  for (const name of names) command.option(hubFeatures[name].flag, hubFeatures[name].description);
  return command;
}

/** Throws a terminal Fault if a feature needs others that are not given. */
export function requireNeeds(features: HubFeatures): void {
  const missing = missingNeeds(features);
  if (missing.length === 0) return;
  const given = hubFeatureNames.filter((name) => features[name]).map((name) => hubFeatures[name].flag);
  throw invalidOption(`${given.join(' ')} does not work without ${missing.join(' and ')}; add that`);
}

export function takesOutput(command: Command, forms: readonly string[]): Command {
  return command.addOption(
    new Option('-o, --output <form>', 'how to print').choices(['table', ...forms]).default('table'),
  );
}

/** The kubeconfig of the hub. Throws a terminal Fault if none is given. */
export function hubOf({ kubeconfig, context }: HubOptions): { readonly kubeconfig: string; readonly context?: string } {
  return { kubeconfig: kubeconfig ?? usualKubeconfig(), ...(context !== undefined && { context }) };
}

const SECONDS = { s: 1, m: 60, h: 3600, d: 86_400 } as const;

/** "300", "90s", "5m", "1h30m". Throws a terminal Fault that names the option. */
export function parseSeconds(option: string, text: string): number {
  const parts = [...text.matchAll(/(\d{1,10})([smhd])/g)];
  const whole = /^\d{1,10}$/.test(text) ? Number(text) : undefined;
  if (whole === undefined && (parts.length === 0 || parts.map(([part]) => part).join('') !== text))
    throw invalidOption(
      `${option} ${JSON.stringify(text)} is not a time; write seconds (300), or one like 90s, 5m or 1h30m`,
    );
  const seconds =
    whole ?? parts.reduce((sum, [, count, unit]) => sum + Number(count) * SECONDS[unit as keyof typeof SECONDS], 0);
  if (seconds <= 2 ** 31 - 1) return seconds;
  throw invalidOption(`${option} ${JSON.stringify(text)} is more than 68 years; write a shorter one`);
}

/** The default kubeconfig: the one that kubectl uses. */
export function usualKubeconfig(): string {
  const [first, second] = (process.env.KUBECONFIG ?? '').split(delimiter).filter((file) => file !== '');
  if (second !== undefined)
    throw invalidOption('KUBECONFIG names several files; name the one of the hub with --kubeconfig');
  const usual = join(homedir(), '.kube', 'config');
  if (first === undefined && !existsSync(usual))
    throw invalidOption(`no hub is named, and there is no ${usual}; name the hub's kubeconfig with --kubeconfig`);
  return first ?? usual;
}
