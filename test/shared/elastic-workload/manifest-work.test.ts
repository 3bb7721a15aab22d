import { describe, expect, it } from 'vitest';
import { elasticKind, ownerLabel } from '../../../shared/elastic-workload/elastic-workload.ts';
import { manifestWorks, workNames, workOf } from '../../../shared/elastic-workload/manifest-work.ts';
import { knownPaths, type ScalePaths } from '../../../shared/elastic-workload/scale-paths.ts';
import { apiVersionOf, resourcePath } from '../../../shared/kubernetes/resource.ts';

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

const numbered = { cluster: 'spoke1', replicas: 4, digest: 'abc' };
const written = workOf({ elastic, manifest, paths }, numbered);

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

function feedback(values: readonly object[], availability = 'True', observedGeneration = 3) {
  return {
    conditions: [{ type: 'Applied', status: 'True', observedGeneration }],
    resourceStatus: {
      manifests: [{ conditions: [{ type: 'Available', status: availability }], statusFeedback: { values } }],
    },
  };
}

const integer = (name: string, value: number) => ({ name, fieldValue: { type: 'Integer', integer: value } });
const nothing = { name: 'replicas', fieldValue: { type: 'String', string: 'many' } };

const applied = { type: 'Applied', status: 'True' };
const available = { type: 'Available', status: 'True' };
const gone = { type: 'Available', status: 'False', message: 'gone' };
const failed = (message: string) => ({ type: 'Applied', status: 'False', message });

const ours = { manager: 'evenkeel', time: '2026-11-22T11:00:00Z', fieldsV1: { 'f:spec': {} } };
const late = '2026-11-22T12:00:00Z';
const theirs = { manager: 'kubectl-edit', time: late, fieldsV1: { 'f:spec': {} } };

const replicas = { name: 'replicas', path: '.spec.size' };
const ready = { name: 'ready', path: '.status.ready' };
const sized = { spec: { size: 5 }, status: { ready: 2 } };
const configs = (jsonPaths: readonly object[]) => [{ feedbackRules: [{ jsonPaths }] }];

describe('the ManifestWork of an ElasticWorkload', () => {
  it('carries the number, protects the managed cluster from it until it is edited, and requests the feedback of the managed cluster', () => {
    expect(written).toStrictEqual({
      metadata: {
        name: 'elasticworkload.shop.web',
        namespace: 'spoke1',
        labels: { 'evenkeel.dev/elastic-workload': ownerLabel(elastic) },
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
            feedbackRules: [
              {
                type: 'JSONPaths',
                jsonPaths: [
                  { name: 'replicas', path: '.spec.replicas' },
                  { name: 'ready', path: '.status.readyReplicas' },
                ],
              },
            ],
          },
        ],
      },
    });
  });

  it('polls the managed cluster if the ElasticWorkload requests it', () => {
    const statusCollection = { type: 'PollingGet', intervalSeconds: 60 } as const;
    const polled = { ...elastic, spec: { ...elastic.spec, statusCollection } };
    const { spec } = workOf({ elastic: polled, manifest, paths }, numbered);
    expect(spec.manifestConfigs).toMatchObject([{ feedbackScrapeType: 'Poll' }]);
  });

  it.each([0, 3])('remembers the number %i that was scaled there, and is read with it', (scaledThere) => {
    const { metadata: own } = workOf({ elastic, manifest, paths }, { ...numbered, scaledThere });
    expect(own.annotations).toStrictEqual({
      'evenkeel.dev/content': 'abc',
      'evenkeel.dev/scaled-there': String(scaledThere),
    });
    expect(reported({}, own).scaledThere).toBe(scaledThere);
  });

  it.each([
    [0, { team: 'web' }, { team: 'web', 'evenkeel.dev/put-back': '0' }],
    [2, undefined, { 'evenkeel.dev/put-back': '2' }],
  ])('counts %i resets of the number in its manifest', (putBacks, before, annotations) => {
    const own = { ...manifest.metadata, ...(before && { annotations: before }) };
    const work = workOf({ elastic, paths, manifest: { ...manifest, metadata: own } }, { ...numbered, putBacks });
    expect(work.spec.workload.manifests).toStrictEqual([
      { ...manifest, metadata: { ...own, annotations }, spec: { paused: false, replicas: 4 } },
    ]);
    expect(manifestWorks.parse({ ...work, metadata })).toMatchObject({ putBacks, written: 4 });
  });
});

describe('a ManifestWork', () => {
  it('is parsed with the feedback of its managed cluster', () => {
    expect(reported(feedback([integer('replicas', 4), integer('ready', 3)]))).toStrictEqual({
      cluster: 'spoke1',
      name: 'elasticworkload.shop.web',
      uid: 'u',
      resourceVersion: '7',
      deleting: false,
      target: 'apps/Deployment/front/web',
      writtenAt: Date.parse('2026-11-22T11:00:00Z'),
      content: 'abc',
      edited: false,
      written: 4,
      scaledThere: undefined,
      putBacks: undefined,
      upToDate: true,
      rejected: undefined,
      replicasOnCluster: 4,
      ready: 3,
    });
  });

  it('has zero ready replicas if the number is missing', () => {
    expect(reported(feedback([integer('replicas', 4)])).ready).toBe(0);
  });

  it('does not believe values that stayed behind when the object went', () => {
    expect(reported(feedback([integer('replicas', 4), integer('ready', 4)], 'False'))).toMatchObject({
      replicasOnCluster: undefined,
      ready: 0,
    });
  });

  it('is not up to date until the agent has seen this very generation', () => {
    expect(reported(feedback([], 'True', 2)).upToDate).toBe(false);
    expect(reported({}).upToDate).toBe(false);
  });

  it('is up to date by its Applied condition, regardless of the others', () => {
    const conditions = [
      { type: 'Available', status: 'True', observedGeneration: 2 },
      { type: 'Applied', status: 'True', observedGeneration: 3 },
    ];
    expect(reported({ conditions })).toMatchObject({ upToDate: true, rejected: undefined });
  });

  it.each([
    ['no manifest', []],
    ['a manifest of which nothing is known', [{}]],
    ['one that is available, and reports nothing', [{ conditions: [available] }]],
    ['one that is available, and reports no values', [{ conditions: [available], statusFeedback: {} }]],
    ['a value that is no number', [{ conditions: [available], statusFeedback: { values: [nothing] } }]],
  ])('with %s has no number on its managed cluster', (_, manifests) => {
    expect(reported({ resourceStatus: { manifests } })).toMatchObject({ replicasOnCluster: undefined, ready: 0 });
  });

  it.each([
    [[{ type: 'Applied', status: 'False' }, available], 4],
    [[applied, { type: 'Available', status: 'False' }], undefined],
  ])('%# is trusted by the Available condition of the manifest, not by the others', (conditions, replicasOnCluster) => {
    const statusFeedback = { values: [integer('replicas', 4)] };
    expect(reported({ resourceStatus: { manifests: [{ conditions, statusFeedback }] } }).replicasOnCluster).toBe(
      replicasOnCluster,
    );
  });

  it.each([
    ['in the words of the manifest', failed('all'), [failed('no kind Ring there')], 'no kind Ring there'],
    ['in those of the work where the manifest has none', failed('all'), undefined, 'all'],
    ['in those of the work where the manifest was applied', failed('all'), [{ ...applied, message: 'fine' }], 'all'],
    ['and of the manifest only what is applied counts', failed('all'), [gone, failed('no Ring')], 'no Ring'],
    ['without a word', { ...failed(''), message: undefined }, undefined, ''],
    ['not where it has seen an older one', { ...failed('all'), observedGeneration: 2 }, [failed('no')], undefined],
    ['not where it could apply it', { ...applied, message: 'fine' }, [failed('no')], undefined],
  ])('reports what the agent could not apply: %s', (_, ofWork, conditions, rejected) => {
    const work = { observedGeneration: 3, ...ofWork };
    expect(reported({ conditions: [work], resourceStatus: { manifests: [{ conditions }] } }).rejected).toBe(rejected);
  });

  it.each([
    ['is not edited without field managers', [], false],
    ['is not edited where we alone write it', [ours], false],
    ['is not edited by labels', [ours, { manager: 'kubectl-label', fieldsV1: { 'f:metadata': {} } }], false],
    ['is not edited if the managers do not list their fields', [ours, { manager: 'kubectl-edit' }], false],
    ['is not edited through a subresource', [ours, { ...theirs, subresource: 'scale' }], false],
    ['is edited where another owns a part of its spec', [theirs], true],
    ['is edited where another owns a part of its spec besides us', [ours, theirs], true],
  ])('%s', (_, managedFields, edited) => {
    expect(reported({}, { managedFields }).edited).toBe(edited);
  });

  it.each([
    ['when we wrote it', [theirs, ours], ours.time],
    ['when we wrote it, not its status', [{ ...ours, subresource: 'status', time: late }, ours], ours.time],
    ['when it was made, where our write has no time', [{ manager: 'evenkeel' }], metadata.creationTimestamp],
    ['when it was made, where others alone wrote it', [theirs], metadata.creationTimestamp],
  ])('counts as written %s', (_, managedFields, time) => {
    expect(reported({}, { managedFields }).writtenAt).toBe(Date.parse(time));
  });

  it('is on its way out from its deletion on', () => {
    expect(reported({}, { deletionTimestamp: '2026-11-22T12:00:00Z' }).deleting).toBe(true);
  });

  it.each([
    ['12', 12],
    ['1234567', 1_234_567],
    ['12345678', undefined],
    ['x3', undefined],
    ['3x', undefined],
    ['three', undefined],
    ['', undefined],
  ])('with %j for a number scaled there has %s', (text, scaledThere) => {
    expect(reported({}, { annotations: { 'evenkeel.dev/scaled-there': text } }).scaledThere).toBe(scaledThere);
  });

  it.each([
    ['no spec', undefined],
    ['nothing in its spec', {}],
    ['no configuration of its manifest', { manifestConfigs: [] }],
    ['no rule', { manifestConfigs: [{}], workload: { manifests: [sized] } }],
    ['a rule without paths', { manifestConfigs: [{ feedbackRules: [{}] }], workload: { manifests: [sized] } }],
    ['no path to the number', { manifestConfigs: configs([ready]), workload: { manifests: [sized] } }],
    ['no workload', { manifestConfigs: configs([ready, replicas]) }],
    ['no manifests', { manifestConfigs: configs([ready, replicas]), workload: {} }],
    ['no manifest', { manifestConfigs: configs([ready, replicas]), workload: { manifests: [] } }],
  ])('with %s has no number and no resets', (_, spec) => {
    expect(manifestWorks.parse({ metadata, spec })).toStrictEqual({
      cluster: 'shop',
      name: 'web',
      uid: 'u',
      resourceVersion: '7',
      deleting: false,
      target: undefined,
      writtenAt: Date.parse(metadata.creationTimestamp),
      content: undefined,
      edited: false,
      written: undefined,
      scaledThere: undefined,
      putBacks: undefined,
      upToDate: false,
      rejected: undefined,
      replicasOnCluster: undefined,
      ready: 0,
    });
  });

  it('has the number at the path of that name, in any feedback rule', () => {
    const manifestConfigs = configs([ready, replicas]);
    expect(manifestWorks.parse({ metadata, spec: { manifestConfigs, workload: { manifests: [sized] } } }).written).toBe(
      5,
    );
  });
});

describe('the kind ManifestWork', () => {
  it.each([
    ['whole', manifestWorks, 100, undefined],
    ['by its names alone', workNames, 500, true],
  ])('is asked for %s', (_, resource, pageSize, metadataOnly) => {
    expect([resource.kind, apiVersionOf(resource)]).toEqual(['ManifestWork', 'work.open-cluster-management.io/v1']);
    expect(resourcePath(resource, { namespace: 'spoke1', name: 'web' })).toBe(
      '/apis/work.open-cluster-management.io/v1/namespaces/spoke1/manifestworks/web',
    );
    expect([resource.pageSize, resource.metadataOnly]).toEqual([pageSize, metadataOnly]);
    expect(() => resource.parse({ metadata: { ...metadata, uid: '' } })).toThrow(
      'ManifestWork web cannot be read: metadata.uid',
    );
  });

  it('is read by its names alone', () => {
    expect(workNames.parse({ metadata })).toStrictEqual({ namespace: 'shop', name: 'web' });
  });
});
