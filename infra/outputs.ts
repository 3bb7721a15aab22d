/** Stack outputs for hub setup, with names that tools can find. */
import { CfnOutput } from 'aws-cdk-lib';
import type { Construct } from 'constructs';

export function printOutputs(scope: Construct, name: string, value: string, description: string): void {
  new CfnOutput(scope, name, { value, description });
}
