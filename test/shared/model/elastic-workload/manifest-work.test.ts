import { describe, expect, it } from 'vitest';
import { elasticKind } from '../../../../shared/model/elastic-workload/elastic-workload.ts';
import { manifestWorks, workOf } from '../../../../shared/model/elastic-workload/manifest-work.ts';
import { knownPaths, type ScalePaths } from '../../../../shared/model/elastic-workload/scale-paths.ts';

const metadata = {
  name: 'web',
  namespace: 'shop',
  uid: 'u',
  resourceVersion: '7',
  creationTimestamp: '2026-11-22T10:00:00Z',
};
const manifest = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', namespace: 'front' },
  spec: { paused: false },
};
const paths = knownPaths(manifest, undefined) as ScalePaths;

const elastic = elasticKind('workload.open-cluster-management.io').parse({
  metadata,
  spec: {
    spokeNamespace: 'front',
    target: { type: 'Inline', inline: manifest },
    placementRef: { name: 'all' },
    distributionStrategy: { totalReplicas: 4 },
  },
});

const written = workOf({ elastic, manifest, paths }, { cluster: 'spoke1', replicas: 4, digest: 'abc' });

/** As the hub gives it back, with what its agent reports. */
function reported(status: object, over: object = {}) {
  const fields = [
    { manager: 'evenkeel', operation: 'Apply', time: '2026-11-22T11:00:00Z', fieldsV1: { 'f:spec': {} } },
    {
      manager: 'work-agent',
      operation: 'Update',
      subresource: 'status',
      time: '2026-11-22T12:00:00Z',
      fieldsV1: { 'f:status': {} },
    },
  ];
  return manifestWorks.parse({
    ...written,
    metadata: { ...metadata, ...written.metadata, generation: 3, managedFields: fields, ...over },
    status,
  });
}

function feedback(values: readonly object[], available = 'True', observedGeneration = 3) {
  return {
    conditions: [{ type: 'Applied', status: 'True', observedGeneration }],
    resourceStatus: {
      manifests: [{ conditions: [{ type: 'Available', status: available }], statusFeedback: { values } }],
    },
  };
}

const integer = (name: string, value: number) => ({ name, fieldValue: { type: 'Integer', integer: value } });

describe('the ManifestWork of an ElasticWorkload', () => {
  it('carries the number, guards the spoke from it until it is edited, and asks for what the spoke makes of it', () => {
    expect(written).toMatchObject({
      metadata: {
        name: 'elasticworkload.shop.web',
        namespace: 'spoke1',
        annotations: { 'evenkeel.dev/content': 'abc' },
      },
      spec: {
        workload: { manifests: [{ ...manifest, spec: { paused: false, replicas: 4 } }] },
        manifestConfigs: [
          {
            resourceIdentifier: { group: 'apps', resource: 'deployments', namespace: 'front', name: 'web' },
            updateStrategy: {
              type: 'ServerSideApply',
              serverSideApply: {
                force: true,
                ignoreFields: [{ condition: 'OnSpokeChange', jsonPaths: ['.spec.replicas'] }],
              },
            },
            feedbackScrapeType: 'Watch',
          },
        ],
      },
    });
  });

  it('is read with what its spoke reports', () => {
    expect(reported(feedback([integer('replicas', 4), integer('ready', 3)]))).toMatchObject({
      cluster: 'spoke1',
      content: 'abc',
      written: 4,
      upToDate: true,
      onSpoke: 4,
      ready: 3,
      edited: false,
      deleting: false,
      writtenAt: Date.parse('2026-11-22T11:00:00Z'),
    });
  });

  it('has nobody ready where the number is left out', () => {
    expect(reported(feedback([integer('replicas', 4)])).ready).toBe(0);
  });

  it('does not believe values that stayed behind when the object went', () => {
    expect(reported(feedback([integer('replicas', 4), integer('ready', 4)], 'False'))).toMatchObject({
      onSpoke: undefined,
      ready: 0,
    });
  });

  it('is not up to date until the agent has seen this very generation', () => {
    expect(reported(feedback([], 'True', 2)).upToDate).toBe(false);
    expect(reported({}).upToDate).toBe(false);
  });

  it('tells what the agent could not apply, in the words of the manifest', () => {
    const conditions = [{ type: 'Applied', status: 'False', message: 'Failed to apply', observedGeneration: 3 }];
    const why = { type: 'Applied', status: 'False', message: 'no kind Ring there' };
    const refused = reported({ conditions, resourceStatus: { manifests: [{ conditions: [why] }] } });
    expect(refused.refused).toBe('no kind Ring there');
    expect(reported({ conditions }).refused).toBe('Failed to apply');
  });

  it('is edited where another than we owns a part of its spec', () => {
    const theirs = { manager: 'kubectl-edit', operation: 'Update', fieldsV1: { 'f:spec': {} } };
    const labels = { manager: 'kubectl-label', operation: 'Update', fieldsV1: { 'f:metadata': {} } };
    expect(reported({}, { managedFields: [theirs] }).edited).toBe(true);
    expect(reported({}, { managedFields: [labels] }).edited).toBe(false);
  });

  it('has no number where it was written by somebody who asks for none', () => {
    expect(manifestWorks.parse({ metadata, spec: {} })).toMatchObject({
      written: undefined,
      content: undefined,
      ready: 0,
    });
  });
});
