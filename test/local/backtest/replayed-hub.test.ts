/** The model of a recorded hub under changes that are drawn by lot: what it counts stays right. */
import { describe, expect, it } from 'vitest';
import { ReplayedHub } from '../../../local/backtest/replayed-hub.ts';
import type { RecordedObject } from '../../../local/recording/recorded-object.ts';
import { createVirtualClock } from '../../../local/virtual-clock.ts';
import { MINUTE, recordedBinding, recordedCluster } from '../../fakes/recorded-hub.ts';
import { seededRandom } from '../../fakes/seeded-random.ts';
import { AGGREGATED, byStaticWeight, DUPLICATED, DYNAMIC } from '../../placed-objects.ts';

const at = '2026-11-01T00:00:00Z';
const PODS = 20;
const clusters = ['member1', 'member2', 'member3'];
const names = ['web', 'api', 'batch', 'edge'];
const strategies = [DYNAMIC, AGGREGATED, DUPLICATED, byStaticWeight({ member1: 2, member2: 1 })];

function playedHub() {
  const clock = createVirtualClock(at);
  const options = { clock, readyAfterMs: MINUTE, coolDownMs: 30 * MINUTE, onClusterChange: () => undefined };
  const hub = new ReplayedHub(options);
  hub.apply({ at, event: 'SnapshotStarted', format: 1 });
  for (const name of clusters) hub.apply({ at, object: recordedCluster(name, { pods: PODS, runs: 8 }) });
  for (const name of names) hub.apply({ at, object: recordedBinding(name, { member1: 2, member2: 2, member3: 2 }) });
  hub.apply({ at, event: 'SnapshotEnded' });
  hub.begin();
  return { clock, hub };
}

/** A change that a hub may have at any time. */
function drawnChange(random: () => number, now: number): RecordedObject | { readonly deleted: RecordedObject } {
  const below = (most: number) => Math.floor(random() * most);
  if (random() < 0.5) {
    const ready = random() < 0.6;
    const name = clusters[below(3)] ?? '';
    const cluster = recordedCluster(name, {
      pods: below(3) * 10,
      others: below(4),
      ready,
      readySince: now,
      ...(random() < 0.3 && { taintedAt: now }),
    });
    return random() < 0.1 ? { deleted: cluster } : cluster;
  }
  const replicaScheduling = strategies[below(strategies.length)];
  const binding = recordedBinding(names[below(names.length)] ?? '', { member1: below(9) }, { replicaScheduling });
  const graceful = { ...binding.spec, ...(random() < 0.4 && { replicaReductionStrategy: 'DelayWorkDeletion' }) };
  const requested = { ...graceful, replicaRequirements: { resourceRequest: random() < 0.5 ? {} : { cpu: '500m' } } };
  return random() < 0.15 ? { deleted: binding } : { ...binding, spec: requested };
}

describe('a recorded hub that is played', () => {
  it.each(Array.from({ length: 30 }, (_, i) => i + 1))(
    'has its whole capacity back when all is gone (seed %i)',
    (seed) => {
      const random = seededRandom(seed);
      const { clock, hub } = playedHub();
      let least = 0;
      for (let step = 0; step < 50; step++) {
        const change = drawnChange(random, clock.now());
        hub.apply('deleted' in change ? { at, deleted: change.deleted } : { at, object: change });
        if (random() < 0.3) for (const key of hub.bindings.keys()) hub.rebalance(key, `wave-${step}/uid`);
        clock.advance(Math.floor(random() * 15) * MINUTE);
        for (const { pods } of hub.bindings.values())
          for (const { assigned, ready, leaving } of pods.values()) least = Math.min(least, assigned, ready, leaving);
      }
      expect(least).toBe(0);
      for (const name of clusters) hub.apply({ at, object: recordedCluster(name, { pods: PODS }) });
      for (const name of names) hub.apply({ at, deleted: recordedBinding(name, {}) });
      clock.advance(60 * MINUTE);
      hub.end();
      for (const cluster of hub.clusters.values()) {
        expect([cluster.name, cluster.fitting({})]).toEqual([cluster.name, PODS]);
        expect(cluster.member.cluster.resourceSummary?.allocated).toMatchObject({ cpu: '0m', pods: '0' });
      }
      const { unready, clusters: tallies } = hub.figures;
      expect([...unready.values()].filter(({ played, recorded }) => played < 0 || recorded < 0)).toEqual([]);
      expect([...tallies.values()].filter(({ replicaHours }) => !(replicaHours >= 0))).toEqual([]);
    },
  );
});
