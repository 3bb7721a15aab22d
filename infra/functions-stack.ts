/**
 * The stack that comes and goes. It uses what StateStack made by references of CloudFormation, so a hub is taken out in
 * two steps: `cdk deploy --exclusively` this stack, which forgets the hub's secret, then both.
 */
import { Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { Evenkeel, type EvenkeelProps } from './evenkeel.ts';
import { forHub, tell } from './outputs.ts';

export class FunctionsStack extends Stack {
  readonly evenkeel: Evenkeel;

  constructor(scope: Construct, id: string, props: EvenkeelProps & { readonly stack?: StackProps }) {
    const { stack, ...evenkeel } = props;
    super(scope, id, { description: 'Evenkeel: functions', ...stack });
    this.evenkeel = new Evenkeel(this, 'Evenkeel', evenkeel);
    tell(this, 'AlarmTopicArn', this.evenkeel.alarmTopic.topicArn, 'Every alarm tells this topic');
    const { hookDomainTarget: target } = this.evenkeel;
    if (target) tell(this, 'HookDomainTarget', target, "Where a CNAME record of the hook's domain is to point");
    tell(this, 'HubCallers', this.evenkeel.hubCallers.join(' '), 'The roles that call hubs; hubs of EKS let them in');
    const { answerQuestion, carryOutOrder } = this.evenkeel.operator;
    tell(this, 'AnswerQuestionFunction', answerQuestion.functionArn, 'Who may invoke it may ask what there is');
    tell(
      this,
      'CarryOutOrderFunction',
      carryOutOrder.functionArn,
      'Who may invoke it may pause, redrive and rebalance',
    );
    for (const [hub, url] of this.evenkeel.hookUrls) {
      tell(this, forHub(hub, 'HookUrl'), url, `Where the audit webhook of hub ${hub} sends its events`);
    }
  }
}
