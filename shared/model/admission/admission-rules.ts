/** What admission does to a write: expressions of CEL that an API server evaluates as a policy, and the webhook evaluates as they are. */

export interface AdmissionRule {
  readonly field: string;
  /** True where the object may be written. */
  readonly expression: string;
  /** Gives the text that a person reads: the field, what it holds, and the way out. */
  readonly message: string;
}

interface Named {
  readonly name: string;
  readonly expression: string;
}

/** Which writes are looked at. */
export interface Concern {
  /** What the rules are called on a hub, after the name of our account. */
  readonly name: string;
  readonly group: string;
  readonly version: string;
  readonly resources: readonly string[];
  readonly operations: readonly ('CREATE' | 'UPDATE')[];
  /** True where a write is looked at at all. It knows no variables. */
  readonly when: Named;
  /** Each is evaluated when it is first asked for; one may ask for those before it. */
  readonly variables: readonly Named[];
}

/** Whether a write may go through. */
export interface AdmissionRules extends Concern {
  /** The first that is broken speaks. */
  readonly rules: readonly AdmissionRule[];
}

/** How a step of a JSON patch (RFC 6902) is written in an expression. The path and the value are expressions. */
export interface PatchDialect {
  readonly add: (path: string, value: string) => string;
  readonly remove: (path: string) => string;
}

/** What is changed about a write before it is stored. Evaluated on its own result, the rules must find nothing more to change. */
export interface MutationRules extends Concern {
  /** Gives the list of steps. */
  readonly patches: (dialect: PatchDialect) => string;
}
