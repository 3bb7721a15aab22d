/** How a RebalancePolicy is parsed, beyond its schema. */
import { describe, expect, it } from 'vitest';
import { resourcePath } from '../../../shared/kubernetes/resource.ts';
import {
  parseRebalancePolicy,
  planOf,
  problemsOf,
  rebalancePolicies,
  windowsOf,
} from '../../../shared/rebalance-policy/rebalance-policy.ts';

const metadata = { name: 'p', uid: 'u', resourceVersion: '7', creationTimestamp: '2026-11-21T09:00:00Z' };
const policy = (spec: object = {}, more: object = {}) =>
  parseRebalancePolicy({ metadata: { ...metadata, ...more }, spec: { triggers: { capacityFreed: {} }, ...spec } });

const nightly = { cron: '0 3 * * *', timeZone: 'Europe/Berlin' };
const never = { cron: '0 0 31 2 *' };

describe('a RebalancePolicy', () => {
  it('is read with who it is, and a status that is empty before there is one', () => {
    expect(policy({}, { generation: 3, deletionTimestamp: '2026-11-21T10:00:00Z' })).toMatchObject({
      ...{ name: 'p', uid: 'u', resourceVersion: '7', generation: 3, status: {} },
      ...{
        creationTimestamp: Date.parse('2026-11-21T09:00:00Z'),
        deletionTimestamp: Date.parse('2026-11-21T10:00:00Z'),
      },
    });
    expect(policy()).not.toHaveProperty('deletionTimestamp');
  });

  it('is of the whole hub', () => {
    expect(resourcePath(rebalancePolicies, { namespace: 'shop', name: 'p' })).toBe(
      '/apis/evenkeel.dev/v1alpha1/rebalancepolicies/p',
    );
  });

  it('keeps its status', () => {
    const status = { state: 'Idle' };
    const spec = { triggers: { capacityFreed: {} } };
    expect(parseRebalancePolicy({ metadata, spec, status }).status).toEqual(status);
  });

  it('that is unreadable is reported by its kind and name', () => {
    expect(() => parseRebalancePolicy({ metadata, spec: {} })).toThrow(
      /^RebalancePolicy p cannot be read: spec.triggers/,
    );
  });
});

describe('invalid calendars', () => {
  it('are reported by their field, all of them', () => {
    const spec = {
      triggers: { schedule: never },
      strategy: { windows: [nightly, { ...never, timeZone: 'Mars/Base' }] },
    };
    const problems = problemsOf(policy(spec));
    expect(problems).toHaveLength(2);
    expect(problems[0]).toMatch(/^spec\.triggers\.schedule\.cron is "0 0 31 2 \*"/);
    expect(problems[1]).toMatch(/^spec\.strategy\.windows\[1\]\.timeZone is "Mars\/Base"/);
  });

  it('are absent if all calendars are valid, or if the policy has none', () => {
    const spec = { triggers: { schedule: nightly }, strategy: { windows: [nightly] } };
    expect([problemsOf(policy(spec)), problemsOf(policy())]).toEqual([[], []]);
  });
});

describe('windows', () => {
  it('are open for their duration, one hour by default', () => {
    const windows = [nightly, { ...nightly, duration: '1h30m' }];
    expect(windowsOf(policy({ strategy: { windows } }).spec).map(({ durationMs }) => durationMs)).toEqual([
      3_600_000, 5_400_000,
    ]);
    expect(windowsOf(policy().spec)).toEqual([]);
  });
});

describe('the plan of a policy', () => {
  it('is another one with every edit but that of suspend', () => {
    const plan = planOf(policy());
    expect(planOf(policy({ suspend: true }))).toBe(plan);
    for (const spec of [{ dryRun: true }, { strategy: { coolDown: '1h' } }, { selector: { names: ['web'] } }])
      expect(planOf(policy(spec))).not.toBe(plan);
  });
});
