/**
 * The admission policies on the practice hub: mutations before validation, then validations. Each is evaluated once, by
 * name, and only if a binding exists for it.
 */
import { compileMutation, compileRules, type ReviewedWrite } from '../../../shared/admission/evaluate-rules.ts';
import {
  type AdmissionPolicySpec,
  type MutatingSpec,
  policyNameIn,
  readMutating,
  readValidating,
  type ValidatingSpec,
} from './admission-objects.ts';
import { patchesAsMaps } from './json-patch-literals.ts';
import type { KindDefinition } from './kind-definition.ts';
import type { Key, KubeObject } from './objects.ts';
import { jsonPatch } from './patches.ts';
import { detailsOf, qualified, StatusError } from './status-error.ts';

export interface AdmissionWrite {
  readonly kind: KindDefinition;
  readonly operation: 'CREATE' | 'UPDATE';
  readonly key: Key;
  readonly object: unknown;
  /** Null where the object is new. */
  readonly oldObject: KubeObject | null;
  readonly username: string;
}

interface CompiledPolicy<T> {
  readonly name: string;
  readonly binding: string;
  readonly spec: AdmissionPolicySpec;
  readonly evaluate: T;
}

type CompiledMutation = ReturnType<typeof compileMutation>;
type Validation = ReturnType<typeof compileRules>;

const PLURALS = {
  mutating: ['mutatingadmissionpolicies', 'mutatingadmissionpolicybindings'],
  validating: ['validatingadmissionpolicies', 'validatingadmissionpolicybindings'],
} as const;

const policyPlurals: readonly string[] = Object.values(PLURALS).flat();

export class AdmissionPolicies {
  readonly #list: (plural: string) => readonly KubeObject[];
  #mutating: readonly CompiledPolicy<readonly CompiledMutation[]>[] | undefined;
  #validating: readonly CompiledPolicy<Validation>[] | undefined;

  constructor(list: (plural: string) => readonly KubeObject[]) {
    this.#list = list;
  }

  /** Policies are compiled once per version. */
  changed(plural: string): void {
    if (!policyPlurals.includes(plural)) return;
    this.#mutating = undefined;
    this.#validating = undefined;
  }

  /** Whether any policy may change such a write. */
  mutates(write: Omit<AdmissionWrite, 'object'>): boolean {
    return this.#mutatingOf(write).length > 0;
  }

  /** The object after all mutations; the same object if there are none. */
  mutate(write: AdmissionWrite): unknown {
    let { object } = write;
    for (const policy of this.#mutatingOf(write)) {
      for (const mutation of policy.evaluate) object = applied({ ...write, object }, policy, mutation);
    }
    return object;
  }

  #mutatingOf(write: Omit<AdmissionWrite, 'object'>): readonly CompiledPolicy<readonly CompiledMutation[]>[] {
    this.#mutating ??= this.#bound(PLURALS.mutating, readMutating, mutationsOf);
    return concerned(this.#mutating, write);
  }

  /** Throws the API server's error response. */
  validate(write: AdmissionWrite): void {
    this.#validating ??= this.#bound(PLURALS.validating, readValidating, validationOf);
    for (const policy of concerned(this.#validating, write)) {
      const { rejection, unevaluated } = policy.evaluate(seen(write));
      if (rejection !== undefined) {
        const { name, binding } = policy;
        throw denied(
          write,
          `ValidatingAdmissionPolicy '${name}' with binding '${binding}' denied request: ${rejection}`,
        );
      }
      if (unevaluated.length > 0 && policy.spec.failurePolicy === 'Fail') throw failed(write, policy.name, unevaluated);
    }
  }

  #bound<S extends AdmissionPolicySpec, T>(
    [policies, bindings]: readonly [string, string],
    read: (object: KubeObject) => S,
    compile: (spec: S) => T,
  ): readonly CompiledPolicy<T>[] {
    const bound = this.#list(bindings);
    return this.#list(policies).flatMap((object) => {
      const { name } = object.metadata;
      const binding = bound.find((one) => policyNameIn(one) === name)?.metadata.name;
      if (binding === undefined) return [];
      const spec = read(object);
      return [{ name, binding, spec, evaluate: compile(spec) }];
    });
  }
}

const all = ({ matchConditions }: AdmissionPolicySpec) => ({
  name: 'all',
  expression: matchConditions.map(({ expression }) => `(${expression})`).join(' && ') || 'true',
});

function mutationsOf(spec: MutatingSpec): readonly CompiledMutation[] {
  return spec.mutations.map(({ jsonPatch: { expression } }) =>
    compileMutation({ when: all(spec), variables: spec.variables, patches: () => patchesAsMaps(expression) }),
  );
}

function validationOf(spec: ValidatingSpec): Validation {
  const rules = spec.validations.map(({ expression, message, messageExpression }, i) => ({
    field: `spec.validations[${i}]`,
    expression,
    message: messageExpression ?? JSON.stringify(message ?? `failed expression: ${expression}`),
  }));
  return compileRules({ when: all(spec), variables: spec.variables, rules });
}

function concerned<T>(
  policies: readonly CompiledPolicy<T>[],
  { kind, operation }: Pick<AdmissionWrite, 'kind' | 'operation'>,
): readonly CompiledPolicy<T>[] {
  const names = (list: readonly string[], one: string) => list.includes(one) || list.includes('*');
  return policies.filter(({ spec }) =>
    spec.matchConstraints.resourceRules.some(
      ({ apiGroups, apiVersions, resources, operations }) =>
        names(operations, operation) &&
        names(apiGroups, kind.group) &&
        names(apiVersions, kind.version) &&
        names(resources, kind.plural),
    ),
  );
}

function seen({ object, oldObject, operation, key, username }: AdmissionWrite): ReviewedWrite {
  return {
    object,
    oldObject,
    request: { userInfo: { username }, operation, ...key } as NonNullable<ReviewedWrite['request']>,
  };
}

function applied(write: AdmissionWrite, { name, spec }: CompiledPolicy<unknown>, mutation: CompiledMutation): unknown {
  const steps = mutation(seen(write));
  if (steps?.length === 0) return write.object;
  try {
    if (steps !== undefined) return jsonPatch(write.object, steps);
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
  }
  if (spec.failurePolicy === 'Fail') throw failed(write, name, ['spec.mutations']);
  return write.object;
}

function failed(write: AdmissionWrite, policy: string, fields: readonly string[]): StatusError {
  const { name } = write.key;
  const message = `admission policy '${policy}' could not be evaluated on ${write.kind.plural} "${name}" (${fields.join(', ')}), and its failurePolicy is Fail`;
  return new StatusError(500, 'InternalError', `Internal error occurred: ${message}`, { causes: [] });
}

/** A denial of a policy: the message of a Forbidden error, with the code of an invalid object. */
function denied({ kind, key }: AdmissionWrite, why: string): StatusError {
  const { group, plural } = kind;
  return new StatusError(422, 'Invalid', `${qualified(plural, group)} "${key.name}" is forbidden: ${why}`, {
    ...detailsOf(key.name, group, plural),
    causes: [{ reason: '', message: why, field: '' }],
  });
}
