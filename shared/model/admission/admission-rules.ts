/** What an admission check of a kind is: expressions of CEL that an API server evaluates as a policy, and the webhook evaluates as they are. */

export interface AdmissionRule {
  readonly field: string;
  /** True where the object may be written. */
  readonly expression: string;
  /** Gives the text that a person reads: the field, what it holds, and the way out. */
  readonly message: string;
}

export interface AdmissionRules {
  /** What the rules are called on a hub, after the name of our account. */
  readonly name: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly operations: readonly ('CREATE' | 'UPDATE')[];
  /** True where a write is looked at at all. It knows no variables. */
  readonly when: { readonly name: string; readonly expression: string };
  /** Each is evaluated when it is first asked for; one may ask for those before it. */
  readonly variables: readonly { readonly name: string; readonly expression: string }[];
  /** The first that is broken speaks. */
  readonly rules: readonly AdmissionRule[];
}
