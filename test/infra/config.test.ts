import { describe, expect, it } from 'vitest';
import { parseConfig } from '../../infra/config.ts';
import { retentionOf } from '../../infra/constructs/log-group.ts';
import { functionNames } from '../../shared/bus/functions.ts';
import { Fault } from '../../shared/core/fault.ts';
import { settingDefinitions } from '../../shared/core/settings.ts';
import { resourcesOf, synthesize, textOf } from './stacks.ts';

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
  it('needs nothing', () => {
    const { name, settings } = parseConfig({});
    expect([name, settings.resyncMinutes]).toEqual(['evenkeel', settingDefinitions.resyncMinutes.default]);
  });

  it.each(['xray', 'http://collector.internal:4318', 'https://collector/tenant'])(
    'may export traces to %s',
    (tracesTo) => {
      expect(parseConfig({ tracesTo }).tracesTo).toBe(tracesTo);
    },
  );

  it.each(['on', 'ftp://collector', 'https://user:secret@collector:4318', 'http://collector?key=secret', 7])(
    'exports no traces to %s',
    (tracesTo) => {
      expect(complaintAbout({ tracesTo })).toMatch(
        /^evenkeel\.tracesTo: .+ is neither "xray" nor the URL of an OTLP collector without credentials and query/,
      );
    },
  );

  it('may come as JSON, as cdk -c gives it', () => {
    expect(parseConfig('{"settings":{"resyncMinutes":10}}').settings.resyncMinutes).toBe(10);
  });

  it.each([
    ['nothing at all', undefined, /^evenkeel: nothing is not an object; write for example/],
    [
      'hubs',
      { hubs: [{ name: 'karmada' }] },
      /^evenkeel\.hubs: hubs are not configured here; remove it, and register each hub with: evenkeel hub add$/,
    ],
    [
      'an unknown field',
      { hub: 1 },
      /^evenkeel\.hub: there is no such field \(there are: name, settings, hook, network, console, tracesTo\)$/,
    ],
    ['an unknown setting', { settings: { resync: 1 } }, /resync: there is no such setting \(there are: chunkSize,/],
    [
      'a setting out of range',
      { settings: { chunkSize: 0 } },
      /chunkSize: 0 is not a whole number of workloads from 1 to 400; the default is 100$/,
    ],
    ['a list of settings', { settings: [] }, /^evenkeel\.settings: \[\] is not an object; write/],
    ['a name that AWS would reject', { name: '-x' }, /^evenkeel\.name: "-x" is not a name; use at most 23/],
  ])('with %s is rejected in one line', (_, given, complaint) => {
    const complaintText = complaintAbout(given);
    expect(complaintText).toMatch(complaint);
    expect(complaintText).not.toContain('\n');
  });

  it('has all that is wrong with it named at once', () => {
    const complaintText = complaintAbout({ name: '-A', settings: { chunkSize: 0 }, x: 1 });
    expect(['evenkeel.x', 'evenkeel.name', 'chunkSize'].filter((part) => !complaintText.includes(part))).toEqual([]);
  });
});

describe("a function's environment", () => {
  it('fits into the 4 KB that AWS gives, with the longest name', () => {
    const { functions: template } = synthesize({ name: 'n'.repeat(23) });
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
    expect(Math.max(...sizes)).toBeLessThanOrEqual(4096);
  });

  it('has every setting of the deployment that a function reads, and none that only infra reads', () => {
    const { functions: template } = synthesize({ settings: { chunkSize: 7, maxReceives: 9, archiveDays: 3 } });
    const actual = resourcesOf(template, 'AWS::Lambda::Function').map(({ properties }) => {
      const { Variables } = properties.Environment as { Variables: Record<string, unknown> };
      return [Variables.EVENKEEL_CHUNK_SIZE, Variables.EVENKEEL_MAX_RECEIVES, Variables.EVENKEEL_ARCHIVE_DAYS];
    });
    expect(actual).toEqual(functionNames.map(() => ['7', '9', undefined]));
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
