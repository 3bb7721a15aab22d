/** What the emulator takes and never acts on, read in the template that was deployed: the ways out for what can't be delivered. */
import { readFileSync } from 'node:fs';
import { Template } from 'aws-cdk-lib/assertions';
import { beforeAll, describe, expect, it } from 'vitest';
import { routes } from '../../../../shared/events/routes.ts';
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

describe.each(routes.map(({ name }) => name))('what the bus could not bring to %s', (route) => {
  it('is tried for two hours, and then goes to the dead letters, which take it from this rule', () => {
    const rule = ruleNamed(`evenkeel-${route}`);
    const [target] = rule.properties.Targets as [{ RetryPolicy: unknown; DeadLetterConfig: { Arn: unknown } }];
    expect(target.RetryPolicy).toEqual({ MaximumEventAgeInSeconds: TWO_HOURS });
    const deadLetters = queueNamed(template, `evenkeel-${route}-dead-letters`);
    expect(targetOf(target.DeadLetterConfig.Arn)).toBe(deadLetters.id);
    expect(deliverers(deadLetters)).toEqual([rule.id]);
  });
});

describe('what a schedule could not put on the bus', () => {
  it.each(['one-time', 'resync'])(
    'goes to the dead letters of the %s schedules, and their role may send it there',
    (kind) => {
      const deadLetters = queueNamed(template, `evenkeel-${kind}-schedules-dead-letters`);
      const schedules = resourcesOf(template, 'AWS::Scheduler::Schedule').map(
        ({ properties }) => properties.Target as { DeadLetterConfig: { Arn: unknown }; RoleArn: unknown },
      );
      const role = kind === 'resync' ? schedules[0]?.RoleArn : oneTimeRole();
      expect(targetOf(grantsOf(template, targetOf(role)).get('DeadLetters')?.Resource)).toBe(deadLetters.id);
      if (kind === 'resync')
        expect(new Set(schedules.map((target) => targetOf(target.DeadLetterConfig.Arn)))).toEqual(
          new Set([deadLetters.id]),
        );
    },
  );
});

function ruleNamed(name: string): Resource {
  return only(
    resourcesOf(template, 'AWS::Events::Rule').filter(({ properties }) => properties.Name === name),
    name,
  );
}

/** The rules that the queue's policy lets in. */
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

/** As the functions that make such schedules are told it. */
function oneTimeRole(): unknown {
  const roles = resourcesOf(template, 'AWS::Lambda::Function').flatMap(({ properties }) => {
    const { Variables } = properties.Environment as { Variables: Record<string, unknown> };
    return Variables.EVENKEEL_SCHEDULE_ROLE_ARN ?? [];
  });
  expect(new Set(roles.map(targetOf)).size).toBe(1);
  return roles[0];
}
