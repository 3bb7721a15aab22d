/** Which workloads a selector takes. */
import { describe, expect, it } from 'vitest';
import type { Selector } from '../../../shared/rebalance-policy/rebalance-policy.ts';
import { whyNotSelected } from '../../../shared/rebalance-policy/select-workloads.ts';
import { away } from './candidates.ts';

const web = away('web', {
  labels: { tier: 'front' },
  metadata: {
    annotations: {
      'propagationpolicy.karmada.io/namespace': 'shop',
      'propagationpolicy.karmada.io/name': 'spread',
    },
  },
});
const ofAll = away('all', { metadata: { annotations: { 'clusterpropagationpolicy.karmada.io/name': 'all' } } });

const labels = (operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist', key: string, ...values: string[]): Selector => ({
  labels: { matchExpressions: [{ key, operator, ...(values.length > 0 && { values }) }] },
});

type Choice = Omit<Selector, 'exclude'>;

/** Deployment shop/web, tier front, placed by PropagationPolicy shop/spread. */
const choices: readonly (readonly [Choice, string | undefined])[] = [
  [{ kinds: [{ apiVersion: 'apps/v1', kind: 'Deployment' }] }, undefined],
  [
    {
      kinds: [
        { apiVersion: 'apps/v1', kind: 'StatefulSet' },
        { apiVersion: 'apps/v1', kind: 'Deployment' },
      ],
    },
    undefined,
  ],
  [{ kinds: [{ apiVersion: 'apps/v1beta1', kind: 'Deployment' }] }, 'its kind is'],
  [{ kinds: [{ apiVersion: 'apps/v1', kind: 'StatefulSet' }] }, 'its kind is'],
  [{ namespaces: ['other', 'shop'] }, undefined],
  [{ namespaces: ['other'] }, 'its namespace is'],
  [{ names: ['api', 'web'] }, undefined],
  [{ names: ['api'] }, 'its name is'],
  [{ names: [] }, 'its name is'],
  [{ labels: {} }, undefined],
  [{ labels: { matchLabels: { tier: 'front' } } }, undefined],
  [{ labels: { matchLabels: { tier: 'back' } } }, 'its labels are'],
  [labels('In', 'tier', 'back', 'front'), undefined],
  [labels('In', 'tier', 'back'), 'its labels are'],
  [labels('In', 'tier'), 'its labels are'],
  [labels('In', 'none', 'front'), 'its labels are'],
  [labels('NotIn', 'tier', 'back'), undefined],
  [labels('NotIn', 'tier', 'front'), 'its labels are'],
  [labels('NotIn', 'tier'), undefined],
  [labels('NotIn', 'none', 'front'), undefined],
  [labels('Exists', 'tier'), undefined],
  [labels('Exists', 'none'), 'its labels are'],
  [labels('Exists', 'constructor'), 'its labels are'],
  [labels('DoesNotExist', 'constructor'), undefined],
  [labels('DoesNotExist', 'none'), undefined],
  [labels('DoesNotExist', 'tier'), 'its labels are'],
  [{ policies: [{ namespace: 'shop', name: 'spread' }] }, undefined],
  [{ policies: [{ namespace: 'other', name: 'spread' }] }, 'its policy is'],
  [{ policies: [{ namespace: 'shop', name: 'other' }] }, 'its policy is'],
  [{ policies: [{ name: 'spread' }] }, 'its policy is'],
];

describe('a selector', () => {
  it.each(choices)('%j', (choice, missed) => {
    expect(whyNotSelected(web, choice)).toBe(missed && `${missed} not selected`);
  });

  it.each(choices)('that leaves out %j', (exclude, missed) => {
    const [aspect = ''] = Object.keys(exclude);
    const word = aspect === 'labels' ? 'its labels are' : `its ${aspect.replace(/ies$/, 'y').replace(/s$/, '')} is`;
    expect(whyNotSelected(web, { exclude })).toBe(missed === undefined ? `${word} excluded` : undefined);
  });

  it('without fields selects every workload', () => {
    expect([whyNotSelected(web, {}), whyNotSelected(web, { exclude: {} })]).toEqual([undefined, undefined]);
  });

  it('selects only workloads that match each of its lists', () => {
    expect(whyNotSelected(web, { namespaces: ['shop'], names: ['api'] })).toBe('its name is not selected');
  });

  it('excludes workloads that match any of the exclude lists, even if they are selected', () => {
    const exclude = { namespaces: ['other'], names: ['web'] };
    expect(whyNotSelected(web, { namespaces: ['shop'], exclude })).toBe('its name is excluded');
  });

  it('by a ClusterPropagationPolicy selects the workloads that the policy placed', () => {
    const policies = [{ name: 'all' }];
    expect([whyNotSelected(ofAll, { policies }), whyNotSelected(web, { policies })]).toEqual([
      undefined,
      'its policy is not selected',
    ]);
  });

  it('by labels selects no workload without labels in the cache', () => {
    const unread = { binding: web.binding };
    expect(whyNotSelected(unread, labels('DoesNotExist', 'none'))).toBe('its labels are not selected');
    expect(whyNotSelected(unread, { exclude: labels('DoesNotExist', 'none') })).toBeUndefined();
  });
});
