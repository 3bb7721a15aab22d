/** The id of cdk-nag's finding for a wildcard in a policy, to acknowledge it. */
import type { Stack } from 'aws-cdk-lib';

export function wildcardFinding(stack: Stack, resource: string): string {
  return `AwsSolutions-IAM5[Resource::${asFinding(stack.resolve(resource))}]`;
}

/** A resolved text in cdk-nag's format: unresolved tokens appear as <AWS::Region>. */
function asFinding(resolved: unknown): string {
  if (typeof resolved === 'string') return resolved;
  const { 'Fn::Join': join, Ref } = resolved as { 'Fn::Join'?: [string, unknown[]]; Ref?: string };
  return join ? join[1].map(asFinding).join(join[0]) : `<${Ref}>`;
}
