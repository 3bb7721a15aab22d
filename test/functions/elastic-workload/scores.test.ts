/** ElasticWorkloads whose weights are scores of an add-on: changes, hysteresis, expiry, and the cost of frequent writes. */
import { describe, expect, it } from 'vitest';
import { searchScope } from '../../../functions/elastic-workload/find-workloads.ts';
import { AddOnPlacementScoreChanged } from '../../../shared/bus/catalogue.ts';
import { Fault } from '../../../shared/core/fault.ts';
import { scoreSelector } from '../../../shared/elastic-workload/elastic-workload.ts';
import { ElasticWorld, scored } from './scene.ts';

/** Longer than events of scores wait in their queue. */
const COALESCED_SECONDS = 45;

async function settled(scores: Readonly<Record<string, number>>): Promise<ElasticWorld> {
  const world = new ElasticWorld();
  await world.pass(5);
  world.score(scores);
  world.run('web', { total: 12, distribution: scored });
  await world.pass(60);
  return world;
}

/** "spoke1 40": the score in use, by cluster. */
function scoresIn(world: ElasticWorld): readonly string[] {
  return (world.status('web').clusters ?? []).map(({ name, score }) => `${name} ${score}`);
}

function callsAfter({ hub }: ElasticWorld, from: number): readonly string[] {
  return hub.calls.slice(from).map(({ verb, plural }) => `${verb} ${plural}`);
}

describe('an ElasticWorkload with weights by score', () => {
  it('gives each cluster replicas in proportion to 100 plus its score, and reports the scores', async () => {
    const world = await settled({ spoke1: -100, spoke2: 0, spoke3: 100 });
    expect(world.shown('web')).toEqual(['spoke1 0/0', 'spoke2 4/4', 'spoke3 8/8']);
    expect(scoresIn(world)).toEqual(['spoke1 -100', 'spoke2 0', 'spoke3 100']);
    expect(world.condition('web', 'ScoresMissing')).toBe('ScoresMissing=False Valid');
    expect(world.condition('web', 'Balanced')).toBe('Balanced=True Balanced');
    expect(world.deadLetters).toEqual([]);
  });

  it('moves replicas after a change of the scores, and is never below its total', async () => {
    const world = await settled({ spoke1: 0, spoke2: 0, spoke3: 0 });
    expect(world.shown('web')).toEqual(['spoke1 4/4', 'spoke2 4/4', 'spoke3 4/4']);
    world.score({ spoke1: -50, spoke3: 50 });
    for (let second = 0; second < 60; second++) {
      await world.pass(1);
      const ready = ['spoke1', 'spoke2', 'spoke3'].map((cluster) => world.ready('web', cluster));
      expect(ready.reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(12);
    }
    expect(world.shown('web')).toEqual(['spoke1 2/2', 'spoke2 4/4', 'spoke3 6/6']);
    expect(world.reasons.filter((reason) => reason.includes('new scores of 2 clusters'))).toHaveLength(1);
  });

  it('writes nothing for changes below minChange', async () => {
    const world = await settled({ spoke1: 0, spoke2: 0, spoke3: 0 });
    const before = world.applied.length;
    world.score({ spoke1: -9, spoke2: 9, spoke3: 9 });
    await world.pass(600);
    expect(world.applied.length).toBe(before);
    expect(scoresIn(world)).toEqual(['spoke1 0', 'spoke2 0', 'spoke3 0']);
  });

  it('changes once in a cool-down, and takes over the last scores at its end without a further event', async () => {
    const world = await settled({ spoke1: 0, spoke2: 0, spoke3: 0 });
    world.score({ spoke1: -50 });
    await world.pass(COALESCED_SECONDS);
    const changed = world.applied.length;
    for (const value of [90, -90, 100]) {
      world.score({ spoke1: value });
      await world.pass(COALESCED_SECONDS);
    }
    expect(scoresIn(world)).toEqual(['spoke1 -50', 'spoke2 0', 'spoke3 0']);
    expect(world.applied.length).toBe(changed);
    await world.pass(300);
    expect(scoresIn(world)).toEqual(['spoke1 100', 'spoke2 0', 'spoke3 0']);
    expect(world.shown('web')).toEqual(['spoke1 6/6', 'spoke2 3/3', 'spoke3 3/3']);
  });

  it('keeps the last score after it expired or was deleted, and reports the number of such clusters', async () => {
    const world = await settled({ spoke2: 0, spoke3: 100 });
    world.score({ spoke2: 50 }, '2026-11-21T10:02:30Z');
    await world.pass(COALESCED_SECONDS);
    expect(scoresIn(world)).toEqual(['spoke1 0', 'spoke2 50', 'spoke3 100']);
    const shown = world.shown('web');
    world.store.delete(
      'addonplacementscores',
      { namespace: 'spoke3', name: 'prices' },
      { username: 'a', manager: 'a' },
    );
    await world.pass(600);
    await world.resync();
    await world.pass(60);
    expect(scoresIn(world)).toEqual(['spoke1 0', 'spoke2 50', 'spoke3 100']);
    expect(world.shown('web')).toEqual(shown);
    expect(world.condition('web', 'ScoresMissing')).toBe('ScoresMissing=True NoValidScore');
    expect(world.message('web', 'ScoresMissing')).toBe(
      'no valid score prices/cost of 3 of 3 clusters (spoke1, spoke2, spoke3); they keep their last score, or 0; check the add-on that writes it',
    );
  });

  it('moves nothing when its table is lost, and follows new scores after a cool-down', async () => {
    const world = await settled({ spoke1: -50, spoke2: 0, spoke3: 50 });
    const shown = world.shown('web');
    world.score({ spoke1: 50, spoke3: -50 });
    world.loseTable();
    await world.resync();
    await world.pass(290);
    expect(world.shown('web')).toEqual(shown);
    await world.pass(60);
    expect(world.shown('web')).toEqual(['spoke1 6/6', 'spoke2 4/4', 'spoke3 2/2']);
  });

  it('converges by resync alone', async () => {
    const world = new ElasticWorld(undefined, { hook: false });
    await world.pass(5);
    world.score({ spoke1: -100, spoke2: 100, spoke3: 100 });
    world.run('web', { total: 12, distribution: scored });
    await world.resync();
    await world.pass(60);
    world.score({ spoke1: 100, spoke2: -100, spoke3: 100 });
    for (let reconcile = 0; reconcile < 3; reconcile++) {
      await world.resync();
      await world.pass(30);
    }
    expect(world.shown('web')).toEqual(['spoke1 6/6', 'spoke2 0/0', 'spoke3 6/6']);
  });

  it('is not stopped by an add-on that writes the lowest score everywhere', async () => {
    const world = await settled({ spoke1: -100, spoke2: -100, spoke3: -100 });
    expect(world.shown('web')).toEqual(['spoke1 4/4', 'spoke2 4/4', 'spoke3 4/4']);
    expect(world.condition('web', 'InvalidWeights')).toBe('InvalidWeights=False Valid');
  });

  it('has no condition and no label of scores after they were removed from its spec', async () => {
    const world = await settled({ spoke1: -100 });
    expect(world.elasticObject('web')?.metadata.labels).toHaveProperty(['evenkeel.dev/score']);
    world.editElastic('web', { distributionStrategy: { type: 'Even', weighted: null } });
    await world.pass(30);
    expect(world.shown('web')).toEqual(['spoke1 4/4', 'spoke2 4/4', 'spoke3 4/4']);
    expect(world.condition('web', 'ScoresMissing')).toBe('ScoresMissing is not set');
    expect(world.elasticObject('web')?.metadata.labels).not.toHaveProperty(['evenkeel.dev/score']);
    expect(scoresIn(world)).toEqual(['spoke1 undefined', 'spoke2 undefined', 'spoke3 undefined']);
  });
});

describe('a hub that does not return scores', () => {
  it.each([
    ['NotFound', 'the hub does not know AddOnPlacementScores'],
    [
      'Forbidden',
      'AddOnPlacementScores may not be read there; where they are used, apply "evenkeel hub manifests --elastic-workloads"',
    ],
  ])('has equal weights with the response %s, and its condition states the reason', async (reason, message) => {
    const world = new ElasticWorld();
    world.hub.interference = {
      before({ plural }) {
        if (plural === 'addonplacementscores') throw new Fault('retryable', 'rejected', { reason });
      },
    };
    await world.pass(5);
    world.run('web', { total: 12, distribution: scored });
    world.run('api', { total: 3 });
    await world.pass(60);
    expect(world.shown('web')).toEqual(['spoke1 4/4', 'spoke2 4/4', 'spoke3 4/4']);
    expect(world.shown('api')).toEqual(['spoke1 1/1', 'spoke2 1/1', 'spoke3 1/1']);
    expect(world.condition('web', 'ScoresMissing')).toBe('ScoresMissing=True NotReadable');
    expect(world.message('web', 'ScoresMissing')).toBe(
      `${message}; no valid score prices/cost of 3 of 3 clusters (spoke1, spoke2, spoke3); they keep their last score, or 0`,
    );
    expect(world.deadLetters).toEqual([]);
  });
});

describe('changes of scores', () => {
  it('affect only the ElasticWorkloads that use AddOnPlacementScores of that name', () => {
    expect(searchScope({ resourceName: 'prices' })).toEqual({ labelSelector: scoreSelector('prices') });
  });

  it('of a thousand clusters cost one LIST of each group and one reconcile of each ElasticWorkload that uses them', async () => {
    const world = await settled({ spoke1: 0, spoke2: 0, spoke3: 0 });
    world.run('api', { total: 3 });
    await world.pass(30);
    const before = world.hub.calls.length;
    await world.bus.publish(
      Array.from({ length: 1000 }, () => AddOnPlacementScoreChanged.of({ hub: 'karmada', resourceName: 'prices' })),
    );
    await world.pass(COALESCED_SECONDS);
    const calls = callsAfter(world, before);
    // The reconcile lists each group for other ElasticWorkloads of its target.
    expect(calls.filter((call) => call === 'list elasticworkloads')).toHaveLength(2 + 2);
    expect(calls.filter((call) => call === 'get elasticworkloads')).toHaveLength(1);
    expect(calls.filter((call) => call === 'list addonplacementscores')).toHaveLength(1);
  });

  it.each([
    ['of another name', 'load', scored],
    ['on a hub where no ElasticWorkload uses scores', 'prices', {}],
  ])('%s cost one LIST of each group and no reconcile', async (_, resourceName, distribution) => {
    const world = new ElasticWorld();
    await world.pass(5);
    world.run('web', { total: 12, distribution });
    await world.pass(60);
    const before = world.hub.calls.length;
    await world.bus.publish(
      Array.from({ length: 1000 }, () => AddOnPlacementScoreChanged.of({ hub: 'karmada', resourceName })),
    );
    await world.pass(COALESCED_SECONDS);
    expect(callsAfter(world, before)).toEqual(['list elasticworkloads', 'list elasticworkloads']);
  });
});
