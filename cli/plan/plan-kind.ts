/** The steps of `evenkeel plan`, the same for bindings, policies and ElasticWorkloads: read, plan, print. */

import { invalidOption } from '../../shared/core/fault.ts';
import { documentText } from '../document-text.ts';
import { type HubOptions, usualKubeconfig } from '../hub-options.ts';
import { type Colours, coloursOf } from '../terminal.ts';
import type { HubDocument } from './read-documents.ts';

export interface PlanOptions extends HubOptions {
  readonly namespace?: string;
  readonly rebalancer?: string;
  readonly policy?: string;
  readonly trigger?: readonly string[];
  readonly explain: boolean;
  readonly eachAlone?: boolean;
  readonly failback?: boolean;
  readonly output: 'table' | 'wide' | 'json' | 'yaml' | 'name';
}

/** A hub with its kubeconfig chosen. */
export interface PlanSource {
  readonly kubeconfig: string;
  readonly context?: string;
}

export interface Preview {
  readonly table: (colours: Colours) => string;
  /** For -o json and -o yaml. */
  readonly document: () => object;
  /** For -o name; absent if the kind has none. */
  readonly names?: () => readonly string[];
  /** For stderr, a line each. */
  readonly notes: readonly string[];
  /** What could not be read and is missing in the plan, a line each. */
  readonly unread: readonly string[];
  readonly moves: boolean;
}

export interface PlanKind<I extends object> {
  /** In errors: "-o name is for bindings, not for …"; absent for bindings. */
  readonly withoutNames?: string;
  readonly fromFiles: (documents: readonly HubDocument[], options: PlanOptions) => I;
  /** `given`: the objects of the files. Absent if the kind is planned from files alone. */
  readonly fromHub?: (source: PlanSource, options: PlanOptions, given: I | undefined) => Promise<I>;
  readonly plan: (input: I, names: readonly string[], options: PlanOptions) => Preview;
}

const MOVES = 3;
const NOT_WHOLE = 2;

export async function printPlan<I extends object>(
  kind: PlanKind<I>,
  documents: readonly HubDocument[] | undefined,
  { names, ...options }: PlanOptions & { readonly names: readonly string[] },
): Promise<void> {
  if (options.output === 'name' && kind.withoutNames !== undefined)
    throw invalidOption(`-o name is for bindings, not for ${kind.withoutNames}; use -o json`);
  const preview = kind.plan(await readInput(kind, documents, options), names, options);
  const text = textOf(preview, options.output);
  process.exitCode = reportPlan(preview);
  if (text !== '') process.stdout.write(`${text.trimEnd()}\n`);
}

/** Prints the notes, and returns the exit code. */
export function reportPlan({ notes, unread, moves }: Pick<Preview, 'notes' | 'unread' | 'moves'>): number {
  for (const note of [...unread.map((fault) => `left out: ${fault}`), ...notes])
    process.stderr.write(`evenkeel: ${note}\n`);
  // A plan with unread objects is incomplete, so it has its own exit code.
  if (unread.length > 0) return NOT_WHOLE;
  return moves ? MOVES : 0;
}

function textOf({ table, document, names }: Preview, output: PlanOptions['output']): string {
  if (output === 'json' || output === 'yaml') return documentText(document(), output);
  return output === 'name' && names !== undefined ? names().join('\n') : table(coloursOf());
}

/** From a hub, from files, or from files over a hub. */
async function readInput<I extends object>(
  kind: PlanKind<I>,
  documents: readonly HubDocument[] | undefined,
  options: PlanOptions,
): Promise<I> {
  const { kubeconfig, context } = options;
  const given = documents && kind.fromFiles(documents, options);
  if (given !== undefined && (kind.fromHub === undefined || !usesHub(options))) return given;
  const source = { kubeconfig: kubeconfig ?? usualKubeconfig(), ...(context !== undefined && { context }) };
  const hub = await kind.fromHub?.(source, options, given);
  if (hub === undefined) throw new Error('a kind without a hub is planned from files');
  return given === undefined ? hub : over(hub, given);
}

export function usesHub({ kubeconfig, context }: HubOptions): boolean {
  return kubeconfig !== undefined || context !== undefined;
}

/** Objects of the files replace those of the hub with the same name. */
function over<I extends object>(hub: I, files: I): I {
  const fields = Object.entries(hub).map(([field, of]) => [field, joined(of, files[field as keyof I])]);
  return Object.fromEntries(fields) as I;
}

function joined(hub: unknown, files: unknown): unknown {
  const both = [...(hub as Iterable<unknown>), ...(files as Iterable<unknown>)];
  if (hub instanceof Map) return new Map(both as [unknown, unknown][]);
  return hub instanceof Set ? new Set(both) : both;
}
