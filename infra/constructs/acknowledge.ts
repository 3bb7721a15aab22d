/** Acknowledges a finding of cdk-nag, with the reason, if the CDK of the app has validations to acknowledge it to. */
import * as cdk from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';

interface NagFinding {
  readonly id: string;
  readonly reason: string;
}

interface Acknowledging {
  of(construct: IConstruct): { acknowledge?(finding: NagFinding): void };
}

/** Imported as a namespace: a CDK before 2.251 has no such export, and a named import would fail for the whole package. */
const { Validations }: { readonly Validations?: Acknowledging } = cdk;

export function acknowledge(construct: IConstruct, finding: NagFinding): void {
  Validations?.of(construct).acknowledge?.(finding);
}
