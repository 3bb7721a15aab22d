import { describe, expect, it } from 'vitest';
import { lastHour, type Sources } from '../../../console/fleet/changes.ts';

const now = Date.parse('2026-11-22T12:00:00Z');
const ago = (minutes: number) => new Date(now - minutes * 60_000).toISOString();
const none: Sources = { tasks: [], decisions: [], runs: [] };
const task = (over: Partial<Sources['tasks'][number]>): Sources['tasks'][number] => ({
  ...{ name: 'nightly', uid: 'u1', generation: 1, state: 'Finished', workloads: 3, successful: 3, failed: 0 },
  updatedAt: ago(1),
  ...over,
});
const decision = (run: string, name: string, taken: number, outcome = 'Written'): Sources['decisions'][number] => ({
  ...{ run, outcome, taken, clusters: [], next: {}, reason: '' },
  decidedAt: ago(2),
  binding: { namespace: 'shop', name },
});

describe('the changes of the last hour', () => {
  it('are those of all three sources, newest first, without older ones', () => {
    const sources: Sources = {
      tasks: [task({ uid: 'new', finishedAt: ago(3) }), task({ uid: 'old', finishedAt: ago(61) })],
      decisions: [decision('s1', 'web', 2)],
      runs: [
        {
          ...{ run: 'r1', policy: 'come-home', state: 'Finished', message: '', setOffBy: ['ClusterRecovered member1'] },
          ...{ waves: 1, wavesDone: 1, workloads: 1, moved: 1, skipped: 0, startedAt: ago(20), finishedAt: ago(10) },
        },
      ],
    };
    expect(lastHour('practice', sources, now).map(({ id, text }) => [id, text])).toEqual([
      ['sweep s1', '2 replicas that no node took, out of 1 workload'],
      ['task new', '3 workloads triggered'],
      ['run r1', 'finished: 1 replica moved after ClusterRecovered member1'],
    ]);
  });

  it('have one line for a run of the descheduler, and none for a run without evictions', () => {
    const decisions = [decision('s1', 'web', 2), decision('s1', 'api', 1), decision('s2', 'web', 3, 'Withheld')];
    expect(lastHour('practice', { ...none, decisions }, now).map(({ text }) => text)).toEqual([
      '3 replicas that no node took, out of 2 workloads',
    ]);
  });

  it('show a failure as a failure, also of a running task', () => {
    const tasks = [task({ state: 'Running', successful: 1, failed: 1 })];
    expect(lastHour('practice', { ...none, tasks }, now)).toMatchObject([
      { tone: 'bad', text: '2 of 3 workloads triggered' },
    ]);
  });
});
