/** What a deployment tells those who set up hubs: outputs under names that a tool can find. */
import { CfnOutput } from 'aws-cdk-lib';
import type { Construct } from 'constructs';

export function tell(scope: Construct, name: string, value: string, description: string): void {
  new CfnOutput(scope, name, { value, description });
}

/**
 * `karmada` and `HookUrl` are `HubkarmadaHookUrl`. An output's name takes no dash: it becomes X, which no hub name
 * has, so that `a-b` and `ab` stay two names.
 */
export function forHub(hub: string, what: string): string {
  return `Hub${hub.replaceAll('-', 'X')}${what}`;
}
