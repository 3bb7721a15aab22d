import { describe, expect, it } from 'vitest';
import { customKinds, customPaths, knownPaths, pluralGuess } from '../../../shared/elastic-workload/scale-paths.ts';

function definition(version: object, names = { kind: 'Ring', plural: 'rings' }, group = 'example.org') {
  const metadata = {
    name: `${names.plural}.${group}`,
    uid: 'u',
    resourceVersion: '1',
    creationTimestamp: '2026-11-22T10:00:00Z',
  };
  return customKinds.parse({ metadata, spec: { group, names, versions: [{ name: 'v1', ...version }] } });
}

const ring = { apiVersion: 'example.org/v1', kind: 'Ring' };
const scale = { specReplicasPath: '.spec.size', statusReplicasPath: '.status.size' };
const ready = { openAPIV3Schema: { properties: { status: { properties: { readyReplicas: { type: 'integer' } } } } } };

describe('how a kind is scaled', () => {
  it.each([
    ['apps/v1', 'Deployment', 'deployments'],
    ['apps/v1', 'StatefulSet', 'statefulsets'],
    ['apps/v1', 'ReplicaSet', 'replicasets'],
    ['v1', 'ReplicationController', 'replicationcontrollers'],
  ])('is known of %s %s', (apiVersion, kind, resource) => {
    expect(knownPaths({ apiVersion, kind }, undefined)).toMatchObject({
      kind,
      resource,
      specReplicasPath: '.spec.replicas',
      readyReplicasPath: '.status.readyReplicas',
    });
  });

  it('is not known of a kind of the same name in another group or version', () => {
    expect(knownPaths({ apiVersion: 'example.org/v1', kind: 'Deployment' }, undefined)).toBe(undefined);
    expect(knownPaths({ apiVersion: 'apps/v1beta1', kind: 'Deployment' }, undefined)).toBe(undefined);
  });

  it('may be set in the ElasticWorkload', () => {
    const inSpec = { resource: 'rings', specReplicasPath: '.spec.n', readyReplicasPath: '.status.n' };
    expect(knownPaths(ring, inSpec)).toEqual({ group: 'example.org', version: 'v1', kind: 'Ring', ...inSpec });
  });

  it('is read from the scale subresource of its CustomResourceDefinition', () => {
    expect(customPaths(ring, [definition({ subresources: { scale }, schema: ready })])).toEqual({
      group: 'example.org',
      version: 'v1',
      kind: 'Ring',
      resource: 'rings',
      specReplicasPath: '.spec.size',
      readyReplicasPath: '.status.readyReplicas',
    });
  });

  it('uses the total of a kind that reports no ready replicas', () => {
    expect(customPaths(ring, [definition({ subresources: { scale } })])).toMatchObject({
      readyReplicasPath: '.status.size',
    });
  });

  it('is nowhere without a scale subresource, in another version, or of a kind that is not there', () => {
    expect(customPaths(ring, [definition({ subresources: { status: {} } })])).toBe('NoScalePath');
    expect(customPaths({ ...ring, apiVersion: 'example.org/v2' }, [definition({ subresources: { scale } })])).toBe(
      'UnknownKind',
    );
    expect(customPaths(ring, [])).toBe('UnknownKind');
  });

  it('is that of its own group and kind, whatever else the hub knows', () => {
    const others = [
      definition({ subresources: { scale } }, { kind: 'Ring', plural: 'phones' }, 'example.com'),
      definition({ subresources: { scale } }, { kind: 'Chain', plural: 'chains' }),
    ];
    expect(customPaths(ring, others)).toBe('UnknownKind');
    expect(customPaths(ring, [...others, definition({ subresources: { scale } })])).toMatchObject({
      resource: 'rings',
    });
  });

  it('is searched by the guessed plural first', () => {
    expect(pluralGuess(ring)).toBe('rings.example.org');
  });
});
