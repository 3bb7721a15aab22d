/** `evenkeel plan` of ElasticWorkloads from files: the replicas of each cluster, the steps, and the reasons for rejection. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { ELASTIC_GROUPS, elasticOf, plain } from '../shared/elastic-workload/elastic-cases.ts';
import { plan, type Ran } from './plan-scene.ts';

const folder = mkdtempSync(join(tmpdir(), 'evenkeel-elastic-'));
let files = 0;
afterAll(() => rmSync(folder, { recursive: true }));

type Numbers = Readonly<Record<string, number>>;

interface Planned {
  readonly name: string;
  readonly current: Numbers;
  readonly desired: Numbers;
  readonly steps: readonly { readonly write: Numbers; readonly then: string }[];
  readonly conditions: readonly { readonly type: string; readonly status: string; readonly reason: string }[];
}

function preview(objects: readonly object[], ...args: readonly string[]): Promise<Ran> {
  const path = join(folder, `${(files += 1)}.yaml`);
  writeFileSync(path, objects.map((object) => stringify(object)).join('---\n'));
  return plan('-f', path, ...args);
}

async function planned(...objects: readonly object[]): Promise<Planned> {
  const { out, errors } = await preview(objects, '-o', 'json');
  const [first] = (JSON.parse(out) as { elasticWorkloads: readonly Planned[] }).elasticWorkloads;
  if (first === undefined) throw new Error(`nothing was planned: ${errors.join('; ')}`);
  return first;
}

function rejectionOf({ conditions }: Planned): string | undefined {
  return conditions.find(({ type, status }) => type === 'Accepted' && status === 'False')?.reason;
}

const ofClusters = 'cluster.open-cluster-management.io';

function slice(clusters: readonly string[], number = 1): object {
  return {
    apiVersion: `${ofClusters}/v1beta1`,
    kind: 'PlacementDecision',
    metadata: { name: `all-decision-${number}`, namespace: 'default', labels: { [`${ofClusters}/placement`]: 'all' } },
    status: { decisions: clusters.map((clusterName) => ({ clusterName, reason: '' })) },
  };
}

/** As the hub stores it, with the feedback of its managed cluster if given. */
function work(
  cluster: string,
  replicas: number,
  reported?: { readonly replicasOnCluster: number; readonly ready: number },
): object {
  const feedback = Object.entries({ replicas: reported?.replicasOnCluster, ready: reported?.ready }).flatMap(
    ([name, integer]) => (integer === undefined ? [] : [{ name, fieldValue: { type: 'Integer', integer } }]),
  );
  const conditions = [{ type: 'Applied', status: 'True', observedGeneration: 1 }];
  const seen = [{ conditions: [{ type: 'Available', status: 'True' }], statusFeedback: { values: feedback } }];
  return {
    apiVersion: 'work.open-cluster-management.io/v1',
    kind: 'ManifestWork',
    metadata: { name: 'elasticworkload.default.web', namespace: cluster },
    spec: { workload: { manifests: [{ apiVersion: 'apps/v1', kind: 'Deployment', spec: { replicas } }] } },
    ...(reported && { status: { conditions, resourceStatus: { manifests: seen } } }),
  };
}

function managed(name: string, is: { readonly labels?: object; readonly available?: string } = {}): object {
  const { labels = {}, available } = is;
  const conditions = [{ type: 'ManagedClusterConditionAvailable', status: available }];
  return {
    apiVersion: `${ofClusters}/v1`,
    kind: 'ManagedCluster',
    metadata: { name, labels },
    ...(available !== undefined && { status: { conditions } }),
  };
}

function web(totalReplicas: number, more: object = {}): object {
  return elasticOf('web', { ...plain, distributionStrategy: { totalReplicas }, ...more });
}

const limits = { type: 'LimitRange', limitRange: { max: 20 } };
const three = slice(['c1', 'c2', 'c3']);

describe('the plan of an ElasticWorkload', () => {
  it('first grows a cluster that joined, and reduces the others when its replicas are ready', async () => {
    expect(await planned(web(12), three, work('c1', 6), work('c2', 6))).toMatchObject({
      name: 'web',
      current: { c1: 6, c2: 6 },
      desired: { c1: 4, c2: 4, c3: 4 },
      steps: [
        { write: { c3: 4 }, then: 'ready' },
        { write: { c1: 4, c2: 4 }, then: 'gone' },
      ],
    });
  });

  it('reduces first with a conservative transfer', async () => {
    const { steps } = await planned(
      web(12, { balanceStrategy: { ...limits, transfer: 'Conservative' } }),
      three,
      work('c1', 6),
      work('c2', 6),
    );
    const [first, ...rest] = steps;
    expect(first).toEqual({ write: { c1: 4, c2: 4, c3: 0 }, then: 'gone' });
    expect(rest).toEqual([{ write: { c3: 4 }, then: 'ready' }]);
  });

  it('deletes the ManifestWork of a deselected cluster when the others are ready', async () => {
    const { desired, steps } = await planned(web(9), slice(['c1', 'c2']), ...['c1', 'c2', 'c3'].map((c) => work(c, 3)));
    const { c1 = 0, c2 = 0 } = desired;
    expect([c1 + c2, Math.abs(c1 - c2)]).toEqual([9, 1]);
    expect(steps).toEqual([
      { write: { c1, c2 }, then: 'ready' },
      { write: { c3: 0 }, then: 'gone' },
    ]);
  });

  it('writes nothing and exits with 0 if nothing changes', async () => {
    const { code, out } = await preview([web(6), three, ...['c1', 'c2', 'c3'].map((c) => work(c, 2))]);
    expect([code, out]).toEqual([
      0,
      'ElasticWorkload default/web: Even, 6 replicas\n  stays: c1 2, c2 2, c3 2\n\nNothing would be written for 1 ElasticWorkload.\n',
    ]);
  });

  it('reads the clusters of all PlacementDecisions', async () => {
    const { desired } = await planned(web(4), slice(['c1', 'c2']), slice(['c3', 'c4'], 2));
    expect(desired).toEqual({ c1: 1, c2: 1, c3: 1, c4: 1 });
  });

  it('applies the labels of clusters to weights', async () => {
    const overrides = [{ clusterSelector: { matchLabels: { region: 'eu' } }, weight: 3 }];
    const weighted = { totalReplicas: 8, type: 'Weighted', weighted: { overrides } };
    const elastic = web(8, { distributionStrategy: weighted });
    const { desired } = await planned(
      elastic,
      slice(['c1', 'c2']),
      managed('c1', { labels: { region: 'eu' } }),
      managed('c2'),
    );
    expect(desired).toEqual({ c1: 6, c2: 2 });
  });

  it('applies the scores of clusters that have not expired, and reports clusters without one', async () => {
    const addOnScore = { resourceName: 'prices', scoreName: 'cost' };
    const elastic = web(8, { distributionStrategy: { totalReplicas: 8, type: 'Weighted', weighted: { addOnScore } } });
    const score = (namespace: string, value: number, more: object = {}) => ({
      apiVersion: `${ofClusters}/v1alpha1`,
      kind: 'AddOnPlacementScore',
      metadata: { name: 'prices', namespace },
      status: { scores: [{ name: 'cost', value }], ...more },
    });
    const { desired, conditions } = await planned(
      ...[elastic, three, score('c1', 100), score('c2', 0)],
      ...[
        score('c3', -100, { validUntil: '2026-01-01T00:00:00Z' }),
        { ...score('c3', -100), metadata: { name: 'b', namespace: 'c3' } },
      ],
    );
    expect(desired).toEqual({ c1: 4, c2: 2, c3: 2 });
    expect(conditions.find(({ type }) => type === 'ScoresMissing')).toMatchObject({
      ...{ status: 'True', reason: 'NoValidScore' },
    });
    expect((await preview([elastic, three])).out).toContain(
      '  ScoresMissing: NoValidScore: no valid score prices/cost of 3 of 3 clusters (c1, c2, c3); they keep their last score, or 0; check the add-on that writes it\n',
    );
  });

  it('keeps scores in use by its status that differ by less than minChange, and replaces others at once', async () => {
    const addOnScore = { resourceName: 'prices', scoreName: 'cost', minChange: 60 };
    const weighted = { totalReplicas: 8, type: 'Weighted', weighted: { addOnScore } };
    const known = (value: number) => ({
      apiVersion: `${ofClusters}/v1alpha1`,
      kind: 'AddOnPlacementScore',
      metadata: { name: 'prices', namespace: 'c1' },
      status: { scores: [{ name: 'cost', value }] },
    });
    const clusters = ['c1', 'c2'].map((name) => ({ name, share: 4, score: 0, replicas: 4 }));
    const elastic = {
      ...web(8, { distributionStrategy: weighted }),
      status: { observedGeneration: 1, clusters },
    };
    const two = slice(['c1', 'c2']);
    expect((await planned(elastic, two, known(59))).desired).toEqual({ c1: 4, c2: 4 });
    expect((await planned(elastic, two, known(100))).desired).toEqual({ c1: 5, c2: 3 });
  });

  it('keeps the replicas of a cluster that was scaled down, and other clusters borrow the missing ones', async () => {
    const there = { replicasOnCluster: 4, ready: 4 };
    const { desired } = await planned(
      web(12, { balanceStrategy: limits }),
      three,
      work('c1', 4, { replicasOnCluster: 2, ready: 2 }),
      work('c2', 4, there),
      work('c3', 4, there),
    );
    expect(desired).toEqual({ c1: 2, c2: 5, c3: 5 });
  });

  it('does not wait for ready replicas of a cluster with unknown availability', async () => {
    const { steps, conditions } = await planned(web(4), slice(['c1', 'c2']), managed('c2', { available: 'Unknown' }));
    expect(steps).toEqual([{ write: { c1: 2, c2: 2 }, then: 'ready' }]);
    expect(conditions).toContainEqual(expect.objectContaining({ type: 'Progressing', status: 'True' }));
  });

  it.each(ELASTIC_GROUPS)('is computed for the group %s from its own ManifestWorks', async (group) => {
    const { current } = await planned({ ...web(2), apiVersion: `${group}/v1` }, three, work('c1', 2));
    expect(current).toEqual(group.startsWith('workload') ? { c1: 2 } : {});
  });
});

const custom = (subresources: object) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'games.example.org' },
  spec: {
    group: 'example.org',
    names: { kind: 'Game', plural: 'games' },
    versions: [{ name: 'v1', subresources }],
  },
});
const game = web(3, {
  target: { type: 'Inline', inline: { apiVersion: 'example.org/v1', kind: 'Game', metadata: { name: 'chess' } } },
});

describe('an ElasticWorkload of a custom resource', () => {
  it('is planned with the scale paths of its CustomResourceDefinition', async () => {
    const paths = { specReplicasPath: '.spec.size', statusReplicasPath: '.status.size' };
    expect((await planned(game, three, custom({ scale: paths }))).desired).toEqual({ c1: 1, c2: 1, c3: 1 });
  });

  it('without scale paths is not accepted, with exit code 0', async () => {
    const { code, out } = await preview([game, three, custom({})]);
    expect(code).toBe(0);
    expect(out).toContain(
      'Not accepted: NoScalePath: Game (example.org/v1) has no scale subresource; add subresources.scale to its CustomResourceDefinition, or set spec.target.scale',
    );
  });

  it('whose CustomResourceDefinition is not in the files cannot be planned, with exit code 2', async () => {
    const { code, errors } = await preview([game, three]);
    expect([code, errors]).toEqual([
      2,
      [
        'left out: ElasticWorkload default/web: the files do not define the scale paths of Game (example.org/v1); add its CustomResourceDefinition, or set spec.target.scale',
      ],
    ]);
  });
});

describe('an ElasticWorkload that cannot be planned', () => {
  it('has no PlacementDecisions among the files, or not all of them', async () => {
    expect((await preview([web(3)])).errors).toEqual([
      'left out: ElasticWorkload default/web: the files have no PlacementDecision of Placement default/all; add all of them',
    ]);
    const placement = {
      apiVersion: `${ofClusters}/v1beta1`,
      kind: 'Placement',
      metadata: { name: 'all', namespace: 'default' },
      status: { numberOfSelectedClusters: 5 },
    };
    expect((await preview([web(3), three, placement])).errors).toEqual([
      'left out: ElasticWorkload default/web: Placement default/all selects 5, and the PlacementDecisions in the files name 3; add all of them',
    ]);
  });

  it('has a manifest of more than 500 KiB', async () => {
    const inline = { ...plain.target.inline, data: 'x'.repeat(500 * 1024) };
    const { conditions, steps } = await planned(web(3, { target: { type: 'Inline', inline } }), three);
    expect([steps, conditions]).toEqual([
      [],
      [
        {
          type: 'Accepted',
          status: 'False',
          reason: 'ManifestTooLarge',
          message: 'the manifest has 501 KiB, and a ManifestWork holds at most 500; move data out of it',
        },
      ],
    ]);
  });

  it('has the target and the clusters of an earlier ElasticWorkload', async () => {
    const later = { ...elasticOf('late', { ...plain }), metadata: { name: 'late', namespace: 'default' } };
    const { out } = await preview([web(3), later, three], '-o', 'json');
    const all = (JSON.parse(out) as { elasticWorkloads: readonly Planned[] }).elasticWorkloads;
    expect(all.map((each) => [each.name, rejectionOf(each)])).toEqual([
      ['web', undefined],
      ['late', 'TargetTaken'],
    ]);
  });

  it('shares only some clusters with an earlier ElasticWorkload, and runs on the others', async () => {
    const spec = { ...plain, placementRef: { name: 'more' }, distributionStrategy: { totalReplicas: 4 } };
    const late = { ...elasticOf('late', spec), metadata: { name: 'late', namespace: 'default' } };
    const decision = slice(['c', 'd', 'e']) as { metadata: { labels: object } };
    const metadata = { name: 'more-decision-1', namespace: 'default', labels: { [`${ofClusters}/placement`]: 'more' } };
    const { out } = await preview([web(3), late, slice(['a', 'b', 'c']), { ...decision, metadata }], '-o', 'json');
    const [, second] = (JSON.parse(out) as { elasticWorkloads: readonly Planned[] }).elasticWorkloads;
    expect(second?.desired).toEqual({ d: 2, e: 2 });
    expect(second?.conditions.find(({ type }) => type === 'Accepted')).toMatchObject({
      status: 'True',
      reason: 'PartlyTaken',
    });
  });

  it('violates its schema or its rules, and the errors name field, value and fix', async () => {
    const wrong = web(-1, { balanceStrategy: { ...limits, timeout: 3 }, spokeNamespace: 'My_Shop' });
    const { code, errors } = await preview([wrong, three]);
    expect(code).toBe(2);
    expect(errors.join('\n')).toContain('spec.distributionStrategy.totalReplicas: -1 is too small; write 0 or more');
    expect(errors.join('\n')).toContain(
      'spec.spokeNamespace: "My_Shop" is not a DNS label (a-z, 0-9 and -); write one',
    );
    const odd = web(1, { balanceStrategy: { type: 'LimitRange', limitRange: { min: 4, max: 3 }, timeout: 3 } });
    const printed = (await preview([odd, three])).errors.join('\n');
    expect(printed).toContain(
      'spec.balanceStrategy.timeout: is no field of an ElasticWorkload; take it out, or see "kubectl explain elasticworkloads.spec.balanceStrategy"',
    );
    expect(printed).toContain('is out of order; write numbers with min <= max');
  });

  it('is on a hub: only files can be planned', async () => {
    expect((await preview([web(3), three], '--kubeconfig', 'hub')).errors).toEqual([
      'ElasticWorkloads are planned from files alone; leave out --kubeconfig and --context, and give their PlacementDecisions and ManifestWorks with -f',
    ]);
  });

  it('has a name that is not in the files', async () => {
    expect((await preview([web(3), three], 'cart')).errors).toEqual([
      'cart: the files have no ElasticWorkload of that name (they have: web)',
    ]);
  });
});

describe('the printed plan of an ElasticWorkload', () => {
  it('names TargetTaken if the files do not name the clusters of an earlier ElasticWorkload with the same target', async () => {
    const late = { ...elasticOf('late', { ...plain }), metadata: { name: 'late', namespace: 'default' } };
    const { out } = await preview([web(3, { placementRef: { name: 'elsewhere' } }), late, three]);
    expect(out).toContain('ElasticWorkload default/late: Even, 10 replicas\n  Not accepted: TargetTaken: ');
  });

  it('names the condition NoClusters for a placement without clusters', async () => {
    const { out } = await preview([web(3), slice([])]);
    expect(out).toMatch(/^ {2}NoClusters: \w+: /m);
  });

  it('names the condition InvalidWeights if no cluster has a weight above zero', async () => {
    const weighted = { defaultWeight: 0, overrides: [] };
    const { out } = await preview([
      web(3, { distributionStrategy: { totalReplicas: 3, type: 'Weighted', weighted } }),
      three,
    ]);
    expect(out).toMatch(/^ {2}InvalidWeights: \w+: /m);
  });
});
