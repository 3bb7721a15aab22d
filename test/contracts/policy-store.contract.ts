/** What every store of policies must do, whatever keeps the rows. Run on memory and on DynamoDB's wire protocol. */
import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type {
  ClusterObservations,
  PolicyRun,
  PolicyState,
  RunRecord,
  Wave,
  WorkloadDecision,
} from '../../shared/rebalance-policy/policy-run.ts';
import type { PolicyStore } from '../../shared/rebalance-policy/policy-store.ts';
import { at, deployment } from '../builders.ts';

let counter = 0;
const LATER = at(3600);
const web = { namespace: 'shop', name: 'web-deployment' };

function policyRun(over: Partial<PolicyRun> = {}): PolicyRun {
  return {
    run: 'run-1',
    triggers: [{ type: 'ClusterRecovered', cluster: 'member1', uid: 'uid-1', at: at(-300) }],
    state: 'Running',
    message: 'wave 1 of 2 is in flight',
    startedAt: at(0),
    plan: '{"selector":{}}',
    waves: 2,
    wavesDone: 0,
    inFlight: { rebalancer: 'failback-run-1-0', startedAt: at(0), readyBy: at(600) },
    notBefore: at(0),
    workloads: 3,
    moved: 0,
    skipped: 1,
    before: { clusters: {} },
    ...over,
  };
}

function decided(name: string, over: Partial<WorkloadDecision> = {}): WorkloadDecision {
  return {
    workload: deployment(name),
    binding: { namespace: 'shop', name: `${name}-deployment` },
    why: 'member1 recovered and would get 5',
    current: { member2: 6 },
    next: { member1: 5, member2: 1 },
    moves: 5,
    ...over,
  };
}

export function policyStoreContract(name: string, open: () => Promise<PolicyStore>): void {
  describe(`policy store: ${name}`, () => {
    let store: PolicyStore;
    beforeAll(async () => {
      store = await open();
    });
    /** No other test uses this hub. */
    const fresh = () => `hub-${counter++}`;
    const observations = (hub: string, over: Partial<ClusterObservations> = {}): ClusterObservations => ({
      hub,
      version: 0,
      clusters: { 'uid-1': { name: 'member1', readySince: at(0) }, 'uid-2': { name: 'member2' } },
      ...over,
    });
    const state = (hub: string, over: Partial<PolicyState> = {}): PolicyState => ({
      hub,
      uid: 'uid-failback',
      name: 'failback',
      version: 0,
      answered: { clusters: { 'uid-1': at(0) }, calendar: { text: '0 3 * * *', at: at(-60) } },
      run: policyRun(),
      ...over,
    });
    const wave = (hub: string, over: Partial<Wave> = {}): Wave => ({
      hub,
      uid: 'uid-failback',
      run: 'run-1',
      number: 0,
      workloads: [decided('web'), decided('api', { outcome: 'Moved', reason: 'all 6 are ready' })],
      ...over,
    });
    const record = (hub: string, run: string, over: Partial<RunRecord> = {}): RunRecord => {
      const { plan: _plan, before: _before, ...rest } = policyRun({ run, state: 'Finished' });
      return { hub, uid: 'uid-failback', name: 'failback', run: rest, ...over };
    };

    it('reads back the observations of clusters one version on, and none of another hub', async () => {
      const hub = fresh();
      expect(await store.readObservations(hub)).toBe(undefined);
      expect(await store.saveObservations(observations(hub))).toBe(true);
      expect(await store.readObservations(hub)).toEqual(observations(hub, { version: 1 }));
      expect(await store.readObservations(fresh())).toBe(undefined);
    });

    it('accepts observations only from a writer that read the last ones', async () => {
      const hub = fresh();
      await store.saveObservations(observations(hub));
      expect(await store.saveObservations(observations(hub, { clusters: {} }))).toBe(false);
      expect(await store.saveObservations(observations(hub, { version: 2, clusters: {} }))).toBe(false);
      expect(await store.saveObservations(observations(hub, { version: 1, clusters: {} }))).toBe(true);
      expect(await store.readObservations(hub)).toEqual({ hub, version: 2, clusters: {} });
    });

    it('lets one of two writers win that read the same observations, with or without earlier ones', async () => {
      const hub = fresh();
      for (const version of [0, 1]) {
        const both = ['a', 'b'].map((uid) => observations(hub, { version, clusters: { [uid]: { name: uid } } }));
        const won = await Promise.all(both.map((each) => store.saveObservations(each)));
        expect([...won].sort()).toEqual([false, true]);
        expect(await store.readObservations(hub)).toEqual({ ...both[won.indexOf(true)], version: version + 1 });
      }
    });

    it('reads back the state of a policy whole, one version on', async () => {
      const first = state(fresh());
      expect(await store.readState(first)).toBe(undefined);
      expect(await store.saveState(first)).toBe(true);
      expect(await store.readState(first)).toEqual({ ...first, version: 1 });
      const stopped = {
        ...first,
        version: 1,
        stoppedPlan: '{}',
        run: policyRun({ state: 'Stopped', finishedAt: at(9) }),
      };
      expect(await store.saveState(stopped)).toBe(true);
      expect(await store.readState(first)).toEqual({ ...stopped, version: 2 });
    });

    it('lets one of two writers win that saw the same state; the same write again is too late', async () => {
      const hub = fresh();
      for (const version of [0, 1]) {
        const both = ['one', 'two'].map((message) => state(hub, { version, run: policyRun({ message }) }));
        const won = await Promise.all(both.map((each) => store.saveState(each)));
        expect([...won].sort()).toEqual([false, true]);
        const winner = both[won.indexOf(true)] as PolicyState;
        expect(await store.readState(winner)).toEqual({ ...winner, version: version + 1 });
        expect(await store.saveState(winner)).toBe(false);
      }
      expect(await store.saveState(state(fresh(), { version: 1 }))).toBe(false);
    });

    it('returns the states of all policies of one hub, and of no other', async () => {
      const [hub, other] = [fresh(), fresh()];
      for (const uid of ['uid-b', 'uid-a']) await store.saveState(state(hub, { uid, name: uid }));
      await store.saveState(state(other));
      await store.saveObservations(observations(hub));
      await store.writeWave(wave(hub), 1, LATER);
      await store.recordRun(hub, record(hub, 'run-1'), LATER);
      expect((await store.readStates(hub)).map(({ uid }) => uid)).toEqual(['uid-a', 'uid-b']);
      expect(await store.readStates(other)).toEqual([state(other, { version: 1 })]);
      expect(await store.readStates(fresh())).toEqual([]);
    });

    it('reads back a wave as it was written last, and no other of its policy, run or number', async () => {
      const first = wave(fresh(), { number: 12 });
      expect(await store.writeWave(first, 1, LATER)).toEqual(first);
      expect(await store.readWave(first, 12)).toEqual(first);
      const later = { ...first, workloads: [decided('web', { outcome: 'Moved' })] };
      for (const _ of ['once', 'again']) expect(await store.writeWave(later, 2, LATER)).toEqual(later);
      expect(await store.readWave(first, 12)).toEqual(later);
      expect(await store.readWave(first, 1)).toBe(undefined);
      expect(await store.readWave({ ...first, run: 'run-2' }, 12)).toBe(undefined);
      expect(await store.readWave({ ...first, uid: 'uid-other' }, 12)).toBe(undefined);
    });

    it('keeps of a wave what was written first from a version of the state, for all who come from it or an earlier one', async () => {
      const planned = wave(fresh());
      await store.writeWave(planned, 1, LATER);
      const ways = ['Moving', 'PutOff', 'Skipped'].map((outcome) => ({
        ...planned,
        workloads: [decided('web', { outcome: outcome as 'Moving' })],
      }));
      const kept = await Promise.all(ways.map((way) => store.writeWave(way, 3, LATER)));
      const [first] = kept;
      expect(ways).toContainEqual(first);
      expect(kept).toEqual([first, first, first]);
      for (const version of [1, 2, 3]) expect(await store.writeWave(planned, version, LATER)).toEqual(first);
      expect(await store.readWave(planned, planned.number)).toEqual(first);
    });

    it('keeps a wave of 500 workloads on 100 clusters each', async () => {
      const clusters = Array.from({ length: 100 }, (_, i) => `production-eu-west-${i}`);
      const digest = (text: string) => createHash('sha256').update(text).digest();
      const replicas = (salt: string) =>
        Object.fromEntries(clusters.map((cluster, i) => [cluster, digest(salt)[i % 32] ?? 0]));
      const workloads = Array.from({ length: 500 }, (_, i) => {
        const service = `service-${digest(String(i)).toString('hex').slice(0, 24)}`;
        const reason = `${service} is ready on all of its clusters`;
        const over = { current: replicas(`now ${i}`), next: replicas(`next ${i}`), outcome: 'Moved', reason } as const;
        return decided(service, over);
      });
      const largest = wave(fresh(), { workloads });
      await store.writeWave(largest, 1, LATER);
      expect(await store.readWave(largest, 0)).toEqual(largest);
    });

    it('returns all decisions of a run in order: its waves, and what it skipped', async () => {
      const hub = fresh();
      const numbers = [10, 2, 0, 1, 11];
      const chunk = (number: number) => wave(hub, { number, workloads: [decided(`w${number}`)] });
      const left = (number: number) =>
        wave(hub, { number, workloads: [decided(`s${number}`, { outcome: 'Skipped', reason: 'suspended' })] });
      for (const number of numbers) {
        await store.writeWave(chunk(number), 1, LATER);
        await store.writeSkipped(left(number), LATER);
      }
      for (const over of [{ run: 'run-2' }, { run: 'run' }, { uid: 'uid-other' }])
        await store.writeWave({ ...chunk(5), ...over }, 1, LATER);
      const ordered = numbers.toSorted((a, b) => a - b);
      const decisions = await store.decisions(wave(hub));
      expect(decisions).toEqual({ waves: ordered.map(chunk), skipped: ordered.map(left) });
      expect(await store.decisions(wave(fresh()))).toEqual({ waves: [], skipped: [] });
    });

    it('gives a workload to one of two runs that want it', async () => {
      const hub = fresh();
      const runs = ['run-1', 'run-2'];
      const until = at(600);
      const took = await Promise.all(runs.map((run) => store.takeLease(hub, web, { run, until }, at(0))));
      expect([...took].sort()).toEqual([false, true]);
      expect(await store.takeLease(fresh(), web, { run: 'run-3', until }, at(0))).toBe(true);
      expect(await store.takeLease(hub, { ...web, name: 'api-deployment' }, { run: 'run-3', until }, at(0))).toBe(true);
    });

    it('gives it on when its time has come, and not a moment before; one of two gets it then', async () => {
      const hub = fresh();
      const take = (run: string, now: number) => store.takeLease(hub, web, { run, until: now + 600_000 }, now);
      await take('run-1', at(0));
      expect(await take('run-2', at(600) - 1)).toBe(false);
      const took = await Promise.all(['run-2', 'run-3'].map((run) => take(run, at(600))));
      expect([...took].sort()).toEqual([false, true]);
      expect(await take('run-1', at(601))).toBe(false);
    });

    it('lets the run that holds a workload take it again, for longer', async () => {
      const hub = fresh();
      const take = (run: string, until: number, now: number) => store.takeLease(hub, web, { run, until }, now);
      expect(await take('run-1', at(600), at(0))).toBe(true);
      expect(await take('run-1', at(900), at(0))).toBe(true);
      expect(await take('run-2', at(900), at(700))).toBe(false);
    });

    it('gives back what the run holds; again, or by another run, changes nothing', async () => {
      const hub = fresh();
      const take = (run: string) => store.takeLease(hub, web, { run, until: at(600) }, at(0));
      await store.releaseLease(hub, web, 'run-1');
      await take('run-1');
      await store.releaseLease(hub, web, 'run-2');
      expect(await take('run-2')).toBe(false);
      await store.releaseLease(hub, web, 'run-1');
      await store.releaseLease(hub, web, 'run-1');
      expect(await take('run-2')).toBe(true);
      await store.releaseLease(hub, web, 'run-1');
      expect(await take('run-3')).toBe(false);
    });

    it('has the run that last took a workload, also once it is given back', async () => {
      const hub = fresh();
      expect(await store.lastLease(hub, web)).toBeUndefined();
      await store.takeLease(hub, web, { run: 'run-1', until: at(600) }, at(0));
      expect(await store.lastLease(hub, web)).toEqual({ run: 'run-1', until: at(600) });
      await store.releaseLease(hub, web, 'run-1');
      expect(await store.lastLease(hub, web)).toEqual({ run: 'run-1', until: 0 });
    });

    it('returns the runs of a hub newest first, as last recorded, as many as requested', async () => {
      const [hub, other] = [fresh(), fresh()];
      for (const run of ['run-1', 'run-3', 'run-2']) await store.recordRun(hub, record(hub, run), LATER);
      await store.recordRun(other, record(other, 'run-9'), LATER);
      await store.saveState(state(hub));
      await store.writeWave(wave(hub), 1, LATER);
      const stopped = record(hub, 'run-3', { run: { ...record(hub, 'run-3').run, state: 'Stopped' } });
      for (const _ of ['once', 'again']) await store.recordRun(hub, stopped, LATER);
      expect(await store.runs(hub, 10)).toEqual([stopped, record(hub, 'run-2'), record(hub, 'run-1')]);
      expect((await store.runs(hub, 2)).map(({ run }) => run.run)).toEqual(['run-3', 'run-2']);
      expect((await store.runs(other, 10)).map(({ run }) => run.run)).toEqual(['run-9']);
      expect(await store.runs(fresh(), 10)).toEqual([]);
    });

    it('returns the runs of a hub from all pages', async () => {
      const hub = fresh();
      const runs = ['run-1', 'run-2', 'run-3', 'run-4'];
      const large = (run: string) =>
        record(hub, run, { run: { ...record(hub, run).run, message: 'x'.repeat(380_000) } });
      for (const run of runs) await store.recordRun(hub, large(run), LATER);
      expect((await store.runs(hub, 10)).map(({ run }) => run.run)).toEqual(runs.toReversed());
      expect((await store.runs(hub, 3)).map(({ run }) => run.run)).toEqual(['run-4', 'run-3', 'run-2']);
    });

    it('keeps the runs of two policies that began together', async () => {
      const hub = fresh();
      for (const uid of ['uid-a', 'uid-b']) await store.recordRun(hub, record(hub, 'run-1', { uid }), LATER);
      expect((await store.runs(hub, 10)).map(({ uid }) => uid)).toEqual(['uid-b', 'uid-a']);
    });
  });
}
