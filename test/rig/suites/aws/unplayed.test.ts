/** Properties that the emulator accepts and ignores, checked in the deployed template: retries and dead-letter queues for undeliverable events. */
import { readFileSync } from 'node:fs';
import { Template } from 'aws-cdk-lib/assertions';
import { beforeAll, describe, expect, it } from 'vitest';
import { routes } from '../../../../shared/bus/routes.ts';
import {
  grantsOf,
  only,
  queueNamed,
  type Resource,
  resourcesOf,
  type Statement,
  targetOf,
} from '../../../infra/stacks.ts';
import { startDeployed } from './deployed.ts';

const TWO_HOURS = 7200;

let template: Template;

beforeAll(async () => {
  const { rig } = await startDeployed();
  const text = readFileSync(rig.path('cdk.out', 'EvenkeelFunctions.template.json'), 'utf8');
  template = Template.fromJSON(JSON.parse(text) as Record<string, unknown>);
});

/** The rules of a queue: one on the bus, and for events of AWS one on the default bus. */
const rulesOf = (route: string) => [route, ...(route === 'receive-event' ? [`${route}-of-aws`] : [])];

describe.each(routes.map(({ name }) => name))('an event that the bus cannot deliver to %s', (route) => {
  it('is retried for two hours, and then sent to the dead-letter queue, which accepts it from this rule', () => {
    const rules = rulesOf(route).map((name) => ruleNamed(`evenkeel-${name}`));
    const deadLetters = queueNamed(template, `evenkeel-${route}-dead-letters`);
    for (const rule of rules) {
      const [target] = rule.properties.Targets as [{ RetryPolicy: unknown; DeadLetterConfig: { Arn: unknown } }];
      expect(target.RetryPolicy).toEqual({ MaximumEventAgeInSeconds: TWO_HOURS });
      expect(targetOf(target.DeadLetterConfig.Arn)).toBe(deadLetters.id);
    }
    expect(deliverers(deadLetters)).toEqual(rules.map(({ id }) => id));
  });
});

it('an event that a one-time schedule cannot put on the bus is sent to their dead-letter queue, whose role may send it there', () => {
  const deadLetters = queueNamed(template, 'evenkeel-one-time-schedules-dead-letters');
  expect(targetOf(grantsOf(template, targetOf(oneTimeRole())).get('DeadLetters')?.Resource)).toBe(deadLetters.id);
});

it('an event of the one schedule that repeats is retried until the next is due', () => {
  const { Target } = only(resourcesOf(template, 'AWS::Scheduler::Schedule'), 'schedules').properties;
  expect(Target).toMatchObject({ RetryPolicy: { MaximumEventAgeInSeconds: 60, MaximumRetryAttempts: 3 } });
});

function ruleNamed(name: string): Resource {
  return only(
    resourcesOf(template, 'AWS::Events::Rule').filter(({ properties }) => properties.Name === name),
    name,
  );
}

/** The rules that the queue's policy allows. */
function deliverers(queue: Resource): readonly (string | undefined)[] {
  const policies = resourcesOf(template, 'AWS::SQS::QueuePolicy').filter(({ properties }) =>
    (properties.Queues as readonly unknown[]).some((one) => targetOf(one) === queue.id),
  );
  return policies
    .flatMap(({ properties }) => (properties.PolicyDocument as { Statement: readonly Statement[] }).Statement)
    .filter(({ Effect }) => Effect === 'Allow')
    .map(({ Condition }) => {
      const { ArnEquals } = Condition as { ArnEquals: Record<string, unknown> };
      return targetOf(ArnEquals['aws:SourceArn']);
    });
}

/** The role in the environment variables of the functions that create such schedules. */
function oneTimeRole(): unknown {
  const roles = resourcesOf(template, 'AWS::Lambda::Function').flatMap(({ properties }) => {
    const { Variables } = properties.Environment as { Variables: Record<string, unknown> };
    return Variables.EVENKEEL_SCHEDULE_ROLE_ARN ?? [];
  });
  expect(new Set(roles.map(targetOf)).size).toBe(1);
  return roles[0];
}
