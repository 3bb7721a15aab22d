/** Stack outputs for hub setup, with names that tools can find. */
import { CfnOutput } from 'aws-cdk-lib';
import type { Construct } from 'constructs';

export function printOutputs(scope: Construct, name: string, value: string, description: string): void {
  new CfnOutput(scope, name, { value, description });
}

/**
 * `karmada` and `HookUrl` are `HubkarmadaHookUrl`. An output's name can't contain a dash: it becomes X, which no hub name
 * contains, so that `a-b` and `ab` stay distinct.
 */
export function forHub(hub: string, what: string): string {
  return `Hub${hub.replaceAll('-', 'X')}${what}`;
}
