/** Admission rules for writes: CEL expressions that an API server evaluates in an admission policy, and that the webhook evaluates unchanged. */

export interface AdmissionRule {
  readonly field: string;
  /** True if the write is allowed. */
  readonly expression: string;
  /** Evaluates to the message for the user: the field, its value and the fix. */
  readonly message: string;
}

interface NamedExpression {
  readonly name: string;
  readonly expression: string;
}

/** The writes that the rules apply to. */
export interface MatchedWrites {
  /** Name of the policy on a hub, after the name of our account. */
  readonly name: string;
  readonly group: string;
  readonly version: string;
  readonly resources: readonly string[];
  readonly operations: readonly ('CREATE' | 'UPDATE')[];
  /** True if the rules apply to the write. It can't use variables. */
  readonly when: NamedExpression;
  /** Evaluated on first use. A variable may use the variables before it. */
  readonly variables: readonly NamedExpression[];
}

/** Validation: whether a write is allowed. */
export interface AdmissionRules extends MatchedWrites {
  /** The first failing rule supplies the message. */
  readonly rules: readonly AdmissionRule[];
}

/** How a step of a JSON patch (RFC 6902) is written in an expression. The path and the value are expressions. */
export interface PatchDialect {
  readonly add: (path: string, value: string) => string;
  readonly remove: (path: string) => string;
}

/** Mutation of a write before it is stored. Evaluated on its own result, the rules must produce no further patches. */
export interface MutationRules extends MatchedWrites {
  /** Evaluates to the list of patch steps. */
  readonly patches: (dialect: PatchDialect) => string;
}
