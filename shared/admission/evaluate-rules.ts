/** Evaluates the API server's CEL expressions in the webhook. */
import { Environment } from '@marcbachmann/cel-js';
import { toTimestamp } from '../core/time.ts';
import type { AdmissionRules, MutationRules, PatchDialect } from './admission-rules.ts';

export interface ReviewedWrite {
  readonly object: unknown;
  /** Null for a create. */
  readonly oldObject: unknown;
  /** Fields of the AdmissionReview request that rules read. Rules that read an absent field are not evaluated. */
  readonly request?: { readonly userInfo: { readonly username: string } };
}

export interface RuleEvaluation {
  /** Message of the first failing rule; absent if all rules pass. */
  readonly rejection?: string;
  /** Fields whose rule could not be evaluated. Such rules are skipped, as with failurePolicy Ignore. */
  readonly unevaluated: readonly string[];
}

type Values = Record<'object' | 'oldObject' | 'request', unknown> & { readonly variables: object };
type CompiledExpression = (values: Values) => unknown;

type Rules = Pick<AdmissionRules, 'when' | 'variables' | 'rules'>;

export function compileRules({ when, variables, rules }: Rules): (write: ReviewedWrite) => RuleEvaluation {
  const { compile, open } = compilerOf({ when, variables });
  const compiled = rules.map(({ field, expression, message }) => ({
    field,
    holds: compile(expression),
    message: compile(message),
  }));
  return (write) => {
    const values = open(write);
    if (values === undefined) return { unevaluated: [] };
    const outcomes = compiled.map(({ field, holds, message }) => ({ field, ...outcomeOf({ holds, message }, values) }));
    const rejection = outcomes.find(({ description }) => description !== undefined)?.description;
    return {
      ...(rejection !== undefined && { rejection }),
      unevaluated: outcomes.flatMap(({ field, evaluated }) => (evaluated ? [] : [field])),
    };
  };
}

type CompiledRule = Readonly<Record<'holds' | 'message', CompiledExpression>>;

/** `description`: the message of a failing rule. A message may read a field that the rule does not read. */
function outcomeOf(
  { holds, message }: CompiledRule,
  values: Values,
): { readonly evaluated: boolean; readonly description?: string } {
  try {
    return holds(values) === true ? { evaluated: true } : { evaluated: true, description: String(message(values)) };
  } catch {
    return { evaluated: false };
  }
}

/** A step of a JSON patch (RFC 6902). */
export interface PatchStep {
  readonly op: 'add' | 'remove';
  readonly path: string;
  readonly value?: unknown;
}

const asMaps: PatchDialect = {
  add: (path, value) => `{"op": dyn("add"), "path": dyn(${path}), "value": dyn(${value})}`,
  remove: (path) => `{"op": dyn("remove"), "path": dyn(${path})}`,
};

type MutationSource = Pick<MutationRules, 'when' | 'variables' | 'patches'>;

/** Undefined if the expression can't be evaluated on this object: the write is admitted unchanged, as with failurePolicy Ignore. */
export function compileMutation({
  when,
  variables,
  patches,
}: MutationSource): (write: ReviewedWrite) => readonly PatchStep[] | undefined {
  const { compile, open } = compilerOf({ when, variables });
  const steps = compile(patches(asMaps));
  return (write) => {
    const values = open(write);
    if (values === undefined) return [];
    try {
      return fromCel(steps(values)) as readonly PatchStep[];
    } catch {
      return undefined;
    }
  };
}

/** The error of an expression over these variables; undefined if it is valid. */
export function flawOf(expression: string, variables: readonly string[] = OF_RULES): string | undefined {
  return kubernetesLike(variables).check(expression).error?.message;
}

/** A condition over these variables. Its evaluation throws if a field that it reads is absent. */
export function compileCondition(
  expression: string,
  variables: readonly string[],
): (values: Readonly<Record<string, unknown>>) => boolean {
  const evaluate = kubernetesLike(variables).parse(asWritten(expression));
  return (values) => evaluate(Object.fromEntries(variables.map((name) => [name, toCel(values[name])]))) === true;
}

interface Compiler {
  readonly compile: (expression: string) => CompiledExpression;
  /** Values that a write's expressions can read; undefined if the rules do not apply to the write. */
  readonly open: (write: ReviewedWrite) => Values | undefined;
}

function compilerOf({ when, variables }: Pick<AdmissionRules, 'when' | 'variables'>): Compiler {
  const environment = kubernetesLike();
  const compile = (expression: string): CompiledExpression => {
    const parsed = environment.parse(asWritten(expression));
    return (values) => parsed({ ...values }) as unknown;
  };
  const matches = compile(when.expression);
  const named = variables.map(({ name, expression }) => [name, compile(expression)] as const);
  const open = ({ object, oldObject, request }: ReviewedWrite): Values | undefined => {
    const values = {
      object: toCel(object),
      oldObject: toCel(oldObject),
      request: toCel(request ?? null),
      variables: {},
    };
    if (passes(matches, values) === false) return undefined;
    for (const [name, evaluate] of named) defineLazily(values.variables, name, () => evaluate(values));
    return values;
  };
  return { compile, open };
}

/** Kubernetes escapes CEL keywords in field names with underscores (__import__). The library does not, so they are unescaped here. */
function asWritten(expression: string): string {
  return expression.replaceAll(/\b__([a-z]+)__\b/g, '$1');
}

/** Variables of admission rules. */
const OF_RULES = ['object', 'oldObject', 'request', 'variables'];

/** Adds the list and string functions of Kubernetes CEL that the library lacks. */
function kubernetesLike(variables: readonly string[] = OF_RULES): Environment {
  return variables
    .reduce((environment, name) => environment.registerVariable(name, 'dyn'), new Environment())
    .registerFunction('list.max(): dyn', (list: readonly (bigint | string)[]) => list.reduce((a, b) => (b > a ? b : a)))
    .registerFunction('string(google.protobuf.Timestamp): string', (time: Date) => toTimestamp(time.getTime()))
    .registerFunction('list.sum(): int', (list: readonly bigint[]) => list.reduce((sum, value) => sum + value, 0n))
    .registerFunction('list.indexOf(dyn): int', (list: readonly unknown[], value: unknown) =>
      BigInt(list.indexOf(value)),
    )
    .registerFunction(
      'string.find(string): string',
      (text: string, pattern: string) => new RegExp(pattern, 'u').exec(text)?.[0] ?? '',
    )
    .registerFunction('string.replace(string, string): string', (text: string, from: string, to: string) =>
      text.replaceAll(from, to),
    );
}

/** Converts objects to Maps: the library reads the field `constructor` of a plain object, a possible annotation, as its class. */
function toCel(value: unknown): unknown {
  if (typeof value === 'number' && Number.isInteger(value)) return BigInt(value);
  if (Array.isArray(value)) return value.map(toCel);
  if (typeof value !== 'object' || value === null) return value;
  return new Map(Object.entries(value).map(([name, field]) => [name, toCel(field)]));
}

/** Converts back to JSON: a literal of the library is an object, an input is a Map. */
function fromCel(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return value.map(fromCel);
  if (typeof value !== 'object' || value === null) return value;
  const fields = value instanceof Map ? [...(value as Map<string, unknown>)] : Object.entries(value);
  return Object.fromEntries(fields.map(([name, field]) => [name, fromCel(field)]));
}

/** Undefined if the expression can't be evaluated on this object. */
function passes(expression: CompiledExpression, values: Values): boolean | undefined {
  try {
    return expression(values) === true;
  } catch {
    return undefined;
  }
}

function defineLazily(target: object, name: string, evaluate: () => unknown): void {
  Object.defineProperty(target, name, {
    enumerable: true,
    configurable: true,
    get: () => {
      const value = evaluate();
      Object.defineProperty(target, name, { enumerable: true, value });
      return value;
    },
  });
}
