import { App, Duration, Stack } from 'aws-cdk-lib';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { describe, expect, it } from 'vitest';
import { show } from '../../infra/given.ts';

const topic = new Topic(new Stack(new App(), 'Alarms'), 'Topic');
const circular: Record<string, unknown> = {};
circular.self = circular;

describe('an error about a configuration', () => {
  it.each([
    ['nothing', undefined],
    ['a Duration', Duration.minutes(5)],
    ['the construct Alarms/Topic', topic],
    ['an object that is no JSON', circular],
    ['function', () => undefined],
    ['{"name":"a"}', { name: 'a' }],
    ['null', null],
  ])('shows %s', (text, value) => {
    expect(show(value)).toBe(text);
  });

  it('shows the first 80 characters of a value', () => {
    expect(show('x'.repeat(100))).toBe(`"${'x'.repeat(79)}`);
  });
});
