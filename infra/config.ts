/** The configuration of a deployment: its name, hubs and settings. It is parsed before synthesis, and all errors are reported at once. */
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import * as z from 'zod/mini';
import { hubName } from '../shared/bus/event.ts';
import { Fault } from '../shared/core/fault.ts';
import { parseSettings, type Settings } from '../shared/core/settings.ts';
import { type ConsoleConfig, wrongConsole } from './console-config.ts';
import { isRecord, show } from './given.ts';
import { type HookDomain, wrongAuditLogGroups, wrongHook } from './hook-config.ts';
import { type NetworkConfig, wrongNetwork } from './network-config.ts';
import { plainSettings, type SettingsInput } from './settings-input.ts';

interface HubConfig {
  /** A DNS label of at most 40 characters. */
  readonly name: string;
  /** CloudWatch log group of the hub's control plane, if audit events are read from it; for EKS: /aws/eks/CLUSTER/cluster. */
  readonly auditLogGroup?: string | ILogGroup;
}

/** As in cdk.json or in the props of the construct. */
export interface EvenkeelConfigInput {
  readonly hubs: readonly HubConfig[];
  readonly settings?: SettingsInput;
  /** Prefix of the bus, the queues, the functions and the alarms; a second deployment in the same account and region needs another. */
  readonly name?: string;
  /** A domain with mutual TLS for the hook; without it, hubs send a token to the API's own address. */
  readonly hook?: HookDomain;
  /** Runs the functions that call hubs in your VPC. */
  readonly network?: NetworkConfig;
  /** Serves the page behind a login; `evenkeel console` does not need it. */
  readonly console?: ConsoleConfig;
}

export interface EvenkeelConfig {
  readonly name: string;
  readonly hubs: readonly HubConfig[];
  readonly settings: Settings;
  readonly hook?: HookDomain;
  readonly network?: NetworkConfig;
  readonly console?: ConsoleConfig;
}

/** Whether the page is served behind a login. */
export function hasConsole(config: EvenkeelConfig): config is EvenkeelConfig & { readonly console: ConsoleConfig } {
  return config.console !== undefined;
}

const DEFAULT_NAME = 'evenkeel';
/** 23, because a schedule's name has at most 64 characters, of which a hub's name takes up to 40. */
const deploymentName = z.string().check(z.regex(/^[a-z]([-a-z0-9]{0,21}[a-z0-9])?$/));
const fields = ['name', 'hubs', 'settings', 'hook', 'network', 'console'];
const example = '{ "hubs": [{ "name": "karmada" }], "settings": {} }';

/**
 * AWS limits a function's environment to 4 KB. Each hub takes its name and the ARN of its secret:
 * about 130 bytes and twice the name. Settings, queues and names take up to 1.5 KB.
 */
const HUB_BYTES = 2500;
/** A log group whose name is generated at deployment: the path of its construct and a suffix. */
const LOG_GROUP_BYTES = 80;

/** Parses the context value `evenkeel`: an object, or JSON from `cdk -c`. */
export function parseConfig(given: unknown): EvenkeelConfig {
  const input = typeof given === 'string' ? parseJson(given) : given;
  if (!isRecord(input)) {
    throw wrongConfig([
      `evenkeel: ${show(input)} is not an object; write for example ${example} in cdk.json's context`,
    ]);
  }
  const name = input.name ?? DEFAULT_NAME;
  const wrong = [
    ...Object.keys(input)
      .filter((field) => !fields.includes(field))
      .map((field) => `evenkeel.${field}: there is no such field (there are: ${fields.join(', ')})`),
    ...(z.safeParse(deploymentName, name).success
      ? []
      : [`evenkeel.name: ${show(name)} is not a name; use at most 23 of a-z, 0-9 and -, beginning with a letter`]),
    ...wrongHubs(input.hubs),
    ...wrongHook(input.hook),
    ...wrongNetwork(input.network),
    ...wrongConsole(input.console),
  ];
  const settings = tryParseSettings(input.settings ?? {}, wrong);
  if (wrong.length > 0 || !settings) throw wrongConfig(wrong);
  return {
    name: name as string,
    hubs: (input.hubs as HubConfig[]).map(hubOf),
    settings,
    ...(input.hook !== undefined && { hook: input.hook as HookDomain }),
    ...(input.network !== undefined && { network: input.network as NetworkConfig }),
    ...(input.console !== undefined && { console: input.console as ConsoleConfig }),
  };
}

function hubOf({ name, auditLogGroup }: HubConfig): HubConfig {
  return { name, ...(auditLogGroup !== undefined && { auditLogGroup }) };
}

function wrongHubs(hubs: unknown): readonly string[] {
  if (!Array.isArray(hubs) || hubs.length === 0) {
    return [`evenkeel.hubs: ${show(hubs)} names no hub; write for example "hubs": [{ "name": "karmada" }]`];
  }
  const names = hubs.map((hub: unknown) => (isRecord(hub) ? hub.name : undefined));
  return [...names.flatMap((name, i) => wrongHub(names, name, i)), ...wrongAuditLogGroups(hubs), ...tooMany(hubs)];
}

function wrongHub(names: readonly unknown[], name: unknown, i: number): readonly string[] {
  const field = `evenkeel.hubs[${i}].name`;
  if (!z.safeParse(hubName, name).success) {
    return [
      `${field}: ${show(name)} is not a hub name; use a DNS label of at most 40 characters (a-z, 0-9 and - inside)`,
    ];
  }
  const first = names.indexOf(name);
  return first < i
    ? [`${field}: ${show(name)} is the name of hubs[${first}] too; give each hub a name of its own`]
    : [];
}

function tooMany(hubs: readonly unknown[]): readonly string[] {
  const bytes = hubs.reduce<number>((sum, hub) => {
    const { name = '', auditLogGroup = '' } = isRecord(hub) ? hub : {};
    return (
      sum + 130 + 2 * String(name).length + (typeof auditLogGroup === 'string' ? auditLogGroup.length : LOG_GROUP_BYTES)
    );
  }, 0);
  if (bytes <= HUB_BYTES) return [];
  return [
    `evenkeel.hubs: ${hubs.length} hubs take about ${bytes} bytes of a function's environment and ${HUB_BYTES} are ` +
      'free; put some of them into a second deployment, with another evenkeel.name',
  ];
}

function tryParseSettings(given: unknown, wrong: string[]): Settings | undefined {
  if (!isRecord(given)) {
    wrong.push(`evenkeel.settings: ${show(given)} is not an object; write for example { "resyncMinutes": 10 }`);
    return undefined;
  }
  try {
    return parseSettings(plainSettings(given, wrong));
  } catch (thrown) {
    if (!(thrown instanceof Fault)) throw thrown;
    wrong.push(`evenkeel.settings: ${thrown.message}`);
    return undefined;
  }
}

function wrongConfig(wrong: readonly string[]): Fault {
  return new Fault('terminal', wrong.join('; '), { reason: 'InvalidConfig' });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
