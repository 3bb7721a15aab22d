/** The configuration of a deployment: its name and settings. It is parsed before synthesis, and all errors are reported at once. */
import * as z from 'zod/mini';
import { collectorUrl, XRAY } from '../shared/core/environment.ts';
import { Fault } from '../shared/core/fault.ts';
import { parseSettings, type Settings } from '../shared/core/settings.ts';
import { type ConsoleConfig, wrongConsole } from './console-config.ts';
import { isRecord, isText, show } from './given.ts';
import { type HookDomain, wrongHook } from './hook-config.ts';
import { type NetworkConfig, wrongNetwork } from './network-config.ts';
import { plainSettings, type SettingsInput } from './settings-input.ts';

/** As in cdk.json or in the props of the construct. */
export interface EvenkeelConfigInput {
  readonly settings?: SettingsInput;
  /** Prefix of the bus, the queues, the functions and the alarms; a second deployment in the same account and region needs another. */
  readonly name?: string;
  /** A domain with mutual TLS for the hook; without it, hubs send a token to the API's own address. */
  readonly hook?: HookDomain;
  /** Runs the functions that call hubs in your VPC. */
  readonly network?: NetworkConfig;
  /** Serves the page behind a login; `evenkeel console` does not need it. */
  readonly console?: ConsoleConfig;
  /** Where the functions export traces to: `xray`, or the URL of an OTLP/HTTP collector. By default nowhere. */
  readonly tracesTo?: string;
}

export interface EvenkeelConfig {
  readonly name: string;
  readonly settings: Settings;
  readonly hook?: HookDomain;
  readonly network?: NetworkConfig;
  readonly console?: ConsoleConfig;
  readonly tracesTo?: string;
}

/** Whether the page is served behind a login. */
export function hasConsole(config: EvenkeelConfig): config is EvenkeelConfig & { readonly console: ConsoleConfig } {
  return config.console !== undefined;
}

const DEFAULT_NAME = 'evenkeel';
/** 23: with the longest name of a route and "-dead-letters", a queue's name has at most 80 characters. */
const deploymentName = z.string().check(z.regex(/^[a-z]([-a-z0-9]{0,21}[a-z0-9])?$/));
const fields = ['name', 'settings', 'hook', 'network', 'console', 'tracesTo'];
const example = '{ "settings": { "resyncMinutes": 10 } }';

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
      .map(unknownField),
    ...(z.safeParse(deploymentName, name).success
      ? []
      : [`evenkeel.name: ${show(name)} is not a name; use at most 23 of a-z, 0-9 and -, beginning with a letter`]),
    ...wrongHook(input.hook),
    ...wrongNetwork(input.network),
    ...wrongConsole(input.console),
    ...wrongTraces(input.tracesTo),
  ];
  const settings = tryParseSettings(input.settings ?? {}, wrong);
  if (wrong.length > 0 || !settings) throw wrongConfig(wrong);
  return {
    name: name as string,
    settings,
    ...(input.hook !== undefined && { hook: input.hook as HookDomain }),
    ...(input.network !== undefined && { network: input.network as NetworkConfig }),
    ...(input.console !== undefined && { console: input.console as ConsoleConfig }),
    ...(input.tracesTo !== undefined && { tracesTo: input.tracesTo as string }),
  };
}

function wrongTraces(given: unknown): string[] {
  if (given === undefined || given === XRAY || isText(given, collectorUrl)) return [];
  return [
    `evenkeel.tracesTo: ${show(given)} is neither "xray" nor the URL of an OTLP collector without credentials and query, for example "http://collector.internal:4318"`,
  ];
}

function unknownField(field: string): string {
  if (field === 'hubs')
    return 'evenkeel.hubs: hubs are not configured here; remove it, and register each hub with: evenkeel hub add';
  return `evenkeel.${field}: there is no such field (there are: ${fields.join(', ')})`;
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
