import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  compareReferences,
  distinctReferences,
  isSameObject,
  referenceKey,
  referenceLabel,
} from '../../../shared/kubernetes/object-reference.ts';
import { anyCharacter } from '../../any-character.ts';
import { clusterRole, deployment } from '../../builders.ts';

describe('two references', () => {
  const web = deployment('web');
  it.each([
    ['in two versions of a group', { apiVersion: 'apps/v1beta1' }, true],
    ['in two groups', { apiVersion: 'example.com/v1' }, false],
    ['in a group and in the core group', { apiVersion: 'v1' }, false],
    ['of two kinds', { kind: 'StatefulSet' }, false],
    ['in two namespaces', { namespace: 'other' }, false],
    ['of two names', { name: 'Web' }, false],
  ])('%s', (_, over, isSame) => {
    expect(isSameObject(web, { ...web, ...over })).toBe(isSame);
    expect(isSameObject({ ...web, ...over }, web)).toBe(isSame);
  });

  it('in two versions of the core group', () => {
    expect(isSameObject({ ...web, apiVersion: 'v1' }, { ...web, apiVersion: 'v2' })).toBe(true);
  });
});

describe('the order of references', () => {
  it('is that of the bytes of "apiVersion kind namespace name"', () => {
    const text = fc.string({ unit: anyCharacter, maxLength: 4 });
    const reference = fc.record({ apiVersion: text, kind: text, namespace: text, name: text });
    fc.assert(
      fc.property(reference, reference, (a, b) => {
        const bytes = Buffer.compare(Buffer.from(referenceKey(a)), Buffer.from(referenceKey(b)));
        expect(Math.sign(compareReferences(a, b))).toBe(bytes);
      }),
    );
  });

  it('puts a surrogate pair behind the private use area, as UTF-8 does and UTF-16 does not', () => {
    expect(compareReferences(deployment('\u{1F600}'), deployment('\uE000'))).toBeGreaterThan(0);
  });

  it('puts a prefix first', () => {
    expect(compareReferences(deployment('web'), deployment('web-2'))).toBeLessThan(0);
  });
});

describe('distinct references', () => {
  it('are sorted, each once; the same name in another namespace is another', () => {
    const list = [deployment('b'), deployment('a'), deployment('b'), deployment('a', 'other')];
    expect(distinctReferences(list).map(referenceLabel)).toEqual([
      'Deployment other/a',
      'Deployment shop/a',
      'Deployment shop/b',
    ]);
  });

  it('are none of none', () => {
    expect(distinctReferences([])).toEqual([]);
  });
});

describe('a label', () => {
  it('names a cluster-scoped object without a namespace', () => {
    expect(referenceLabel(clusterRole('reader'))).toBe('ClusterRole reader');
  });
});
