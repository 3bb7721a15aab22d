/** The stateless stack. It references the resources of StateStack. */
import { Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { Evenkeel, type EvenkeelProps } from './evenkeel.ts';
import { printOutputs } from './outputs.ts';

export class FunctionsStack extends Stack {
  readonly evenkeel: Evenkeel;

  constructor(scope: Construct, id: string, props: EvenkeelProps & { readonly stack?: StackProps }) {
    const { stack, ...evenkeel } = props;
    super(scope, id, { description: 'Evenkeel: functions', ...stack });
    this.evenkeel = new Evenkeel(this, 'Evenkeel', evenkeel);
    printOutputs(this, 'AlarmTopicArn', this.evenkeel.alarmTopic.topicArn, 'Every alarm notifies this topic');
    const { hookDomainTarget: target } = this.evenkeel;
    if (target) printOutputs(this, 'HookDomainTarget', target, "Target of the CNAME record of the hook's domain");
    printOutputs(
      this,
      'HubCallers',
      this.evenkeel.hubCallers.join(' '),
      'The roles that call hubs, to be authorized on EKS hubs',
    );
    const { runQuery, runCommand } = this.evenkeel.consoleApi;
    printOutputs(this, 'RunQueryFunction', runQuery.functionArn, 'lambda:InvokeFunction on it grants read access');
    printOutputs(
      this,
      'RunCommandFunction',
      runCommand.functionArn,
      'lambda:InvokeFunction on it grants pause, redrive and rebalance',
    );
    printOutputs(this, 'HookUrl', this.evenkeel.hookUrl, 'Where hubs send to, for evenkeel hub manifests --url');
  }
}
