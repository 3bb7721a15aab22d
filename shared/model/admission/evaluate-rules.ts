/** Decides with an API server's own expressions whether a write may go through, for the webhook. */
import { Environment } from '@marcbachmann/cel-js';
import type { AdmissionRules, MutationRules, PatchDialect } from './admission-rules.ts';

export interface Write {
  readonly object: unknown;
  /** Null where the object is new. */
  readonly oldObject: unknown;
  /** The part of the request's own fields that rules ask for; rules that ask for it where it is absent are not evaluated. */
  readonly request?: { readonly userInfo: { readonly username: string } };
}

export interface Finding {
  /** What the first broken rule says; absent where all hold. */
  readonly refusal?: string;
  /** Fields whose rule could not be evaluated. It is passed over, as by a policy with failurePolicy Ignore. */
  readonly unevaluated: readonly string[];
}

type Values = Record<'object' | 'oldObject' | 'request', unknown> & { readonly variables: object };
type Expression = (values: Values) => unknown;

type Rules = Pick<AdmissionRules, 'when' | 'variables' | 'rules'>;

export function compileRules({ when, variables, rules }: Rules): (write: Write) => Finding {
  const { compile, open } = compilerOf({ when, variables });
  const compiled = rules.map(({ field, expression, message }) => ({
    field,
    holds: compile(expression),
    message: compile(message),
  }));
  return (write) => {
    const values = open(write);
    if (values === undefined) return { unevaluated: [] };
    const outcomes = compiled.map(({ field, holds, message }) => ({ field, message, passes: passes(holds, values) }));
    const broken = outcomes.find((outcome) => outcome.passes === false);
    return {
      ...(broken && { refusal: String(broken.message(values)) }),
      unevaluated: outcomes.flatMap(({ field, passes: known }) => (known === undefined ? [field] : [])),
    };
  };
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

type Mutation = Pick<MutationRules, 'when' | 'variables' | 'patches'>;

/** Undefined where it can't be evaluated on this object: the write goes through as it is, as by a policy with failurePolicy Ignore. */
export function compileMutation({
  when,
  variables,
  patches,
}: Mutation): (write: Write) => readonly PatchStep[] | undefined {
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

/** What is wrong with an expression, by itself; undefined where it can be evaluated. */
export function flawOf(expression: string): string | undefined {
  return kubernetesLike().check(expression).error?.message;
}

interface Compiler {
  readonly compile: (expression: string) => Expression;
  /** What the expressions of a write see; undefined where it is not looked at. */
  readonly open: (write: Write) => Values | undefined;
}

function compilerOf({ when, variables }: Pick<AdmissionRules, 'when' | 'variables'>): Compiler {
  const environment = kubernetesLike();
  const compile = (expression: string): Expression => {
    const parsed = environment.parse(asWritten(expression));
    return (values) => parsed({ ...values }) as unknown;
  };
  const isLookedAt = compile(when.expression);
  const named = variables.map(({ name, expression }) => [name, compile(expression)] as const);
  const open = ({ object, oldObject, request }: Write): Values | undefined => {
    const values = {
      object: toCel(object),
      oldObject: toCel(oldObject),
      request: toCel(request ?? null),
      variables: {},
    };
    if (passes(isLookedAt, values) === false) return undefined;
    for (const [name, evaluate] of named) defineLazily(values.variables, name, () => evaluate(values));
    return values;
  };
  return { compile, open };
}

/** An API server knows a field by a word of CEL's own between underscores, __import__; the library takes it as it is. */
function asWritten(expression: string): string {
  return expression.replaceAll(/\b__([a-z]+)__\b/g, '$1');
}

/** What Kubernetes has on lists and texts, and the library leaves to us. */
function kubernetesLike(): Environment {
  return new Environment()
    .registerVariable('object', 'dyn')
    .registerVariable('oldObject', 'dyn')
    .registerVariable('request', 'dyn')
    .registerVariable('variables', 'dyn')
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

/** Maps, for the library takes a plain object's field `constructor`, which may be an annotation, for its class. */
function toCel(value: unknown): unknown {
  if (typeof value === 'number' && Number.isInteger(value)) return BigInt(value);
  if (Array.isArray(value)) return value.map(toCel);
  if (typeof value !== 'object' || value === null) return value;
  return new Map(Object.entries(value).map(([name, field]) => [name, toCel(field)]));
}

/** As JSON has it: a library's literal is an object, what it was given is a Map. */
function fromCel(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return value.map(fromCel);
  if (typeof value !== 'object' || value === null) return value;
  const fields = value instanceof Map ? [...(value as Map<string, unknown>)] : Object.entries(value);
  return Object.fromEntries(fields.map(([name, field]) => [name, fromCel(field)]));
}

/** Undefined where it can't be evaluated on this object. */
function passes(expression: Expression, values: Values): boolean | undefined {
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
