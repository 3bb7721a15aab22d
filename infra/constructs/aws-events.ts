/** Events of AWS that may concern clusters arrive on the default bus of the account. */
import { EventBus, type IRuleTarget, Rule } from 'aws-cdk-lib/aws-events';
import { Construct } from 'constructs';
import { knownEvents } from '../../shared/external-events/parse-event.ts';

export interface AwsEventsProps {
  readonly name: string;
  readonly target: IRuleTarget;
}

export class AwsEvents extends Construct {
  constructor(scope: Construct, id: string, { name, target }: AwsEventsProps) {
    super(scope, id);
    new Rule(this, 'Rule', {
      ruleName: `${name}-of-aws`,
      description: 'Events of AWS that may concern clusters',
      eventBus: EventBus.fromEventBusName(this, 'DefaultBus', 'default'),
      eventPattern: {
        source: [...new Set(knownEvents.map(({ source }) => source))],
        detailType: [...new Set(knownEvents.flatMap(({ detailTypes }) => detailTypes))],
      },
      targets: [target],
    });
  }
}
