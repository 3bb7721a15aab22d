/** AddOnPlacementScores as add-ons write them, and which of their scores are valid. */
import { describe, expect, it } from 'vitest';
import {
  type AddOnScores,
  addOnPlacementScores,
  scoreSourceOf,
  validScores,
} from '../../../shared/elastic-workload/addon-score.ts';
import { scoreLabel, scoreSelector } from '../../../shared/elastic-workload/elastic-workload.ts';
import { elasticSpec } from '../../../shared/elastic-workload/elastic-workload-schema.ts';
import { resourcePath } from '../../../shared/kubernetes/resource.ts';
import { at } from '../../builders.ts';
import { plain } from './elastic-cases.ts';

const metadata = {
  ...{ namespace: 'c1', name: 'prices', uid: 'u', resourceVersion: '7' },
  creationTimestamp: '2026-11-22T10:00:00Z',
};
const source = { resourceName: 'prices', scoreName: 'cost', minChange: 10, coolDownSeconds: 300 };

function distribution(type: string, weighted?: object) {
  return elasticSpec.parse({
    ...plain,
    distributionStrategy: { totalReplicas: 1, type, ...(weighted && { weighted }) },
  });
}

describe('an AddOnPlacementScore', () => {
  it('is in the namespace of its cluster', () => {
    const path = '/apis/cluster.open-cluster-management.io/v1alpha1/namespaces/c1/addonplacementscores';
    expect(resourcePath(addOnPlacementScores, { namespace: 'c1' })).toBe(path);
  });

  it('has the scores and the expiry of its status', () => {
    const status = { scores: [{ name: 'cost', value: -100 }], validUntil: '2026-11-22T10:00:05Z' };
    expect(addOnPlacementScores.parse({ metadata, status })).toStrictEqual({
      ...{ cluster: 'c1', resourceName: 'prices', scores: status.scores },
      validUntil: Date.parse(status.validUntil),
    });
  });

  it.each([[undefined], [null], [{}], [{ scores: null, validUntil: null }]])(
    'has no scores and does not expire with the status %j',
    (status) => {
      expect(addOnPlacementScores.parse({ metadata, status })).toStrictEqual({
        ...{ cluster: 'c1', resourceName: 'prices', scores: [] },
      });
    },
  );

  it.each([101, -101, 0.5])('is rejected with the score %d, and the error names the field', (value) => {
    expect(() => addOnPlacementScores.parse({ metadata, status: { scores: [{ name: 'cost', value }] } })).toThrow(
      'AddOnPlacementScore prices cannot be read: status.scores.0.value:',
    );
  });
});

describe('the valid score of a cluster', () => {
  const report = (more: Partial<AddOnScores>): AddOnScores => ({
    ...{ cluster: 'c1', resourceName: 'prices', scores: [{ name: 'cost', value: 7 }] },
    ...more,
  });

  it.each<[string, Partial<AddOnScores>, number | undefined]>([
    ['has no expiry', {}, 7],
    ['expires in a second', { validUntil: at(1) }, 7],
    ['expires now', { validUntil: at(0) }, undefined],
    ['is of another object', { resourceName: 'other' }, undefined],
    ['has another name', { scores: [{ name: 'load', value: 7 }] }, undefined],
    [
      'is among others',
      {
        scores: [
          { name: 'load', value: 1 },
          { name: 'cost', value: 0 },
        ],
      },
      0,
    ],
  ])('is known or not if it %s', (_, more, score) => {
    expect(validScores([report(more)], source, at(0)).get('c1')).toBe(score);
  });
});

describe('the label of an ElasticWorkload', () => {
  it('selects those whose weights are scores of this name, and is absent without scores', () => {
    const scored = distribution('Weighted', { addOnScore: { resourceName: 'prices', scoreName: 'cost' } });
    expect(scoreSelector('prices')).toBe(`evenkeel.dev/score=${scoreLabel(scored)}`);
    expect(scoreSelector('p'.repeat(253))).toMatch(/^evenkeel\.dev\/score=[a-z0-9]{1,63}$/);
    expect(scoreLabel(distribution('Weighted', {}))).toBeUndefined();
    expect(scoreLabel(distribution('Even'))).toBeUndefined();
  });

  it('has the defaults of the source', () => {
    const addOnScore = { resourceName: 'prices', scoreName: 'cost' };
    expect(scoreSourceOf(distribution('Weighted', { addOnScore }).distributionStrategy)).toEqual(source);
  });
});
