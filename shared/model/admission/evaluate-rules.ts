/** Decides with an API server's own expressions whether a write may go through, for the webhook. */
import { Environment } from '@marcbachmann/cel-js';
import type { AdmissionRules } from './admission-rules.ts';

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
  const environment = kubernetesLike();
  const compile = (expression: string): Expression => {
    const parsed = environment.parse(expression);
    return (values) => parsed({ ...values }) as unknown;
  };
  const isLookedAt = compile(when.expression);
  const named = variables.map(({ name, expression }) => [name, compile(expression)] as const);
  const compiled = rules.map(({ field, expression, message }) => ({
    field,
    holds: compile(expression),
    message: compile(message),
  }));
  return ({ object, oldObject, request = null }) => {
    const values = { object: toCel(object), oldObject: toCel(oldObject), request: toCel(request), variables: {} };
    for (const [name, evaluate] of named) defineLazily(values.variables, name, () => evaluate(values));
    if (passes(isLookedAt, values) === false) return { unevaluated: [] };
    const outcomes = compiled.map(({ field, holds, message }) => ({ field, message, passes: passes(holds, values) }));
    const broken = outcomes.find((outcome) => outcome.passes === false);
    return {
      ...(broken && { refusal: String(broken.message(values)) }),
      unevaluated: outcomes.flatMap(({ field, passes: known }) => (known === undefined ? [field] : [])),
    };
  };
}

/** Kubernetes has `sum()` on lists; the library leaves it to us. */
function kubernetesLike(): Environment {
  return new Environment()
    .registerVariable('object', 'dyn')
    .registerVariable('oldObject', 'dyn')
    .registerVariable('request', 'dyn')
    .registerVariable('variables', 'dyn')
    .registerFunction('list.sum(): int', (list: readonly bigint[]) => list.reduce((sum, value) => sum + value, 0n));
}

/** Maps, for the library takes a plain object's field `constructor`, which may be an annotation, for its class. */
function toCel(value: unknown): unknown {
  if (typeof value === 'number' && Number.isInteger(value)) return BigInt(value);
  if (Array.isArray(value)) return value.map(toCel);
  if (typeof value !== 'object' || value === null) return value;
  return new Map(Object.entries(value).map(([name, field]) => [name, toCel(field)]));
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
