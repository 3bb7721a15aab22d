import { describe, expect, it } from 'vitest';
import { parseConfig } from '../../infra/config.ts';
import { retentionOf } from '../../infra/constructs/log-group.ts';
import { functionNames, functions } from '../../shared/bus/functions.ts';
import { Fault } from '../../shared/core/fault.ts';
import { settingDefinitions } from '../../shared/core/settings.ts';
import { resourcesOf, synthesize, textOf } from './stacks.ts';

const one = { hubs: [{ name: 'karmada' }] };

function complaintAbout(given: unknown): string {
  try {
    parseConfig(given);
  } catch (thrown) {
    if (thrown instanceof Fault) return thrown.message;
    throw thrown;
  }
  return 'none';
}

describe('a configuration', () => {
  it('needs one hub and nothing else', () => {
    const { name, hubs, settings } = parseConfig(one);
    expect([name, hubs, settings.resyncMinutes]).toEqual([
      'evenkeel',
      [{ name: 'karmada' }],
      settingDefinitions.resyncMinutes.default,
    ]);
  });

  it('may come as JSON, as cdk -c gives it', () => {
    expect(parseConfig('{"hubs":[{"name":"edge"}],"settings":{"resyncMinutes":10}}').settings.resyncMinutes).toBe(10);
  });

  it.each([
    ['nothing at all', undefined, /^evenkeel: nothing is not an object; write for example/],
    ['no hubs', {}, /^evenkeel\.hubs: nothing names no hub; write/],
    ['an empty list', { hubs: [] }, /^evenkeel\.hubs: \[\] names no hub; write/],
    ['a hub without a name', { hubs: [{}] }, /^evenkeel\.hubs\[0\]\.name: nothing is not a hub name; use a DNS label/],
    ['a capital', { hubs: [{ name: 'Hub' }] }, /^evenkeel\.hubs\[0\]\.name: "Hub" is not a hub name; use a DNS label/],
    ['a dash at the end', { hubs: [{ name: 'a-' }] }, /"a-" is not a hub name/],
    ['41 characters', { hubs: [{ name: 'a'.repeat(41) }] }, /is not a hub name; use a DNS label of at most 40/],
    [
      'a name twice',
      { hubs: [{ name: 'a' }, { name: 'a' }] },
      /^evenkeel\.hubs\[1\]\.name: "a" is the name of hubs\[0\] too/,
    ],
    [
      'an unknown field',
      { ...one, hub: 1 },
      /^evenkeel\.hub: there is no such field \(there are: name, hubs, settings, hook, network, console\)$/,
    ],
    [
      'an unknown setting',
      { ...one, settings: { resync: 1 } },
      /resync: there is no such setting \(there are: chunkSize,/,
    ],
    [
      'a setting out of range',
      { ...one, settings: { chunkSize: 0 } },
      /chunkSize: 0 is not a whole number of workloads from 1 to 400; the default is 100$/,
    ],
    ['a list of settings', { ...one, settings: [] }, /^evenkeel\.settings: \[\] is not an object; write/],
    ['a name that AWS would reject', { ...one, name: '-x' }, /^evenkeel\.name: "-x" is not a name; use at most 23/],
  ])('with %s is rejected in one line', (_, given, complaint) => {
    const complaintText = complaintAbout(given);
    expect(complaintText).toMatch(complaint);
    expect(complaintText).not.toContain('\n');
  });

  it('takes a hub name of 40 characters', () => {
    expect(complaintAbout({ hubs: [{ name: 'a'.repeat(40) }] })).toBe('none');
  });

  it('has all that is wrong with it named at once', () => {
    const complaintText = complaintAbout({ hubs: [{ name: 'A' }], settings: { chunkSize: 0 }, x: 1 });
    expect(
      ['evenkeel.x', 'evenkeel.hubs[0].name', 'chunkSize'].filter((part) => !complaintText.includes(part)),
    ).toEqual([]);
  });
});

describe("a function's environment", () => {
  const hubs = (count: number) => Array.from({ length: count }, (_, i) => ({ name: `hub-${10 + i}` }));
  const most = Array.from({ length: 40 }, (_, i) => i + 1).filter(
    (n) => complaintAbout({ hubs: hubs(n) }) === 'none',
  ).length;

  it('fits into the 4 KB that AWS gives, with as many hubs as are let in and the longest name', () => {
    const { functions: template } = synthesize({ hubs: hubs(most), name: 'n'.repeat(23) });
    // References grow to what they are on AWS, in the region with the longest name.
    const arn = (service: string, rest: string) => `arn:aws:${service}:ap-southeast-2:123456789012:${rest}`;
    const real = (reference: string) => {
      if (/Secret|StateHub/.test(reference))
        return arn('secretsmanager', `secret:${'x'.repeat(24)}-123456789012-123456`);
      if (reference.includes('Queue') || reference.includes('DeadLetters')) {
        return `https://sqs.ap-southeast-2.amazonaws.com/123456789012/${'n'.repeat(23)}-confirm-rescheduling-dead-letters`;
      }
      return arn('iam', `role/${'x'.repeat(64)}`);
    };
    const sizes = resourcesOf(template, 'AWS::Lambda::Function').map(({ properties }) => {
      const { Variables } = properties.Environment as { Variables: Record<string, unknown> };
      const bytes = Object.entries(Variables).map(([key, value]) => key.length + textOf(value, real).length);
      return bytes.reduce((sum, each) => sum + each, 0);
    });
    expect(most).toBeGreaterThanOrEqual(10);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(4096);
  });

  it('that would not fit is rejected before anything is built', () => {
    expect(complaintAbout({ hubs: hubs(most + 1) })).toMatch(/put some of them into a second deployment/);
  });

  it('has every setting of the deployment that a function reads, and none that only infra reads', () => {
    const { functions: template } = synthesize({ ...one, settings: { chunkSize: 7, maxReceives: 9, archiveDays: 3 } });
    const actual = resourcesOf(template, 'AWS::Lambda::Function').map(({ properties }) => {
      const { Variables } = properties.Environment as { Variables: Record<string, unknown> };
      return [Variables.EVENKEEL_CHUNK_SIZE, Variables.EVENKEEL_MAX_RECEIVES, Variables.EVENKEEL_ARCHIVE_DAYS];
    });
    // No hub names an audit log, so its reader is not made.
    expect(actual).toEqual(
      functionNames.filter((name) => functions[name].invokedBy !== 'logs').map(() => ['7', '9', undefined]),
    );
  });
});

describe('logs', () => {
  // CloudWatch takes 1, 3, 5, 7, 14, 30, 60 … 3653 days.
  it.each([
    [1, 1],
    [2, 3],
    [20, 30],
    [30, 30],
    [31, 60],
    [3653, 3653],
  ])('asked for %i days are kept for %i', (asked, kept) => {
    expect(retentionOf(asked)).toBe(kept);
  });
});
