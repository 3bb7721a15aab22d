import { describe, expect, it } from 'vitest';
import { joinedSamples, recordedMoments, recordedSamples } from '../../../console/workload/recorded-placements.ts';
import type { RecordedPlacement } from '../../../shared/console-api/operations/history.ts';

const workload = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web' };
const FROM = '2026-11-28T10:00:00Z';

function row(minute: number, assigned: Readonly<Record<string, number>>, more: Partial<RecordedPlacement> = {}) {
  const at = `2026-11-28T10:0${minute}:00Z`;
  return { at, uid: 'u', workload, total: 4, assigned, ready: assigned, gone: false, ...more };
}

const before = row(0, { member1: 4 }, { at: '2026-11-27T00:00:00Z' });
const evicted = row(1, { member2: 4 }, { ready: {}, cause: { by: 'Eviction', why: 'evicted from member1' } });
const ready = row(2, { member2: 4 });
const home = row(3, { member1: 2, member2: 2 }, { cause: { by: 'RebalancePolicy', name: 'come-home' } });
const placements = [home, ready, evicted];

describe('the samples of recorded placements', () => {
  it('are oldest first, and begin with the state at the begin of the range', () => {
    const samples = recordedSamples({ before, placements }, FROM);
    expect(
      samples.map(({ at, shares, ready: count }) => [new Date(at).toISOString().slice(11, 16), shares, count]),
    ).toEqual([
      ['10:00', { member1: 4 }, 4],
      ['10:01', { member2: 4 }, 0],
      ['10:02', { member2: 4 }, 4],
      ['10:03', { member1: 2, member2: 2 }, 4],
    ]);
  });

  it('begin with the oldest row if there are more rows than one page', () => {
    const [first] = recordedSamples({ before, placements, next: 'more' }, FROM);
    expect(first?.at).toBe(Date.parse(evicted.at));
  });

  it('go on with the samples of the page that are later than the last row', () => {
    const live = [2, 3, 4].map((minute) => ({ at: Date.parse(row(minute, {}).at), shares: {}, ready: minute }));
    const joined = joinedSamples(recordedSamples({ placements }, FROM), live);
    expect(joined.map((sample) => sample.ready)).toEqual([0, 4, 4, 4]);
    expect(joinedSamples([], live)).toEqual(live);
  });
});

describe('the moments of recorded placements', () => {
  it('are the changes of the assignment with their cause, and not those of ready replicas', () => {
    expect(recordedMoments({ before, placements })).toEqual([
      { at: home.at, who: 'RebalancePolicy come-home', what: 'written', text: 'member1 0→2, member2 4→2' },
      { at: evicted.at, who: 'Eviction', what: 'written', text: 'member1 4→0, member2 0→4: evicted from member1' },
    ]);
  });
});
