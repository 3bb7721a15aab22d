import { describe, expect, it } from 'vitest';
import { deployment, deployments } from '../../builders.ts';
import { World } from '../../fakes/world.ts';

const [a, b] = [deployment('a'), deployment('b')];

describe('deletion', () => {
  it('comes never without a ttl', async () => {
    const w = new World();
    w.bind([a]);
    w.create('demo', [a]);
    await w.pass(7 * 24 * 3600);
    expect(w.rebalancer('demo')?.status).toMatchObject({ finishTime: '2026-11-21T10:00:00Z' });
  });

  it('comes at once with a ttl of 0, after the finish was on the object', async () => {
    const w = new World();
    w.bind([a]);
    const finishes: unknown[] = [];
    w.store.onChange(({ type, plural, previous }) => {
      if (type === 'DELETED' && plural === 'workloadrebalancers') finishes.push(previous?.status?.finishTime);
    });
    w.create('demo', [a], 0);
    await w.pass(5);
    expect(w.rebalancer('demo')).toBeUndefined();
    expect(finishes).toEqual(['2026-11-21T10:00:00Z']);
  });

  it('comes when the ttl has passed since the finish, and not before', async () => {
    const w = new World();
    w.bind([a]);
    w.create('demo', [a], 60);
    await w.pass(59);
    expect(w.rebalancer('demo')).toBeTruthy();
    await w.pass(2);
    expect(w.rebalancer('demo')).toBeUndefined();
  });

  it('is scheduled for each rebalancer on its own, and its time is logged', async () => {
    const w = new World();
    w.bind([a, b]);
    w.create('early', [a], 60);
    w.create('late', [b], 120);
    await w.pass(30);
    expect(w.schedule.names.filter((name) => /^expire-[0-9a-f]{32}$/.test(name))).toHaveLength(2);
    const lines = await w.telemetry.lines({ about: [{ event: 'RebalanceReported' }], since: 0, limit: 10 });
    const logged = lines.map(({ fields: { name, reason, expiresAt } }) => [name, reason, expiresAt]);
    expect(logged).toEqual(
      expect.arrayContaining([
        ['early', 'its ttl of 60 s has not passed', '2026-11-21T10:01:00Z'],
        ['late', 'its ttl of 120 s has not passed', '2026-11-21T10:02:00Z'],
      ]) as unknown[],
    );
    await w.pass(60);
    expect([w.rebalancer('early'), w.rebalancer('late')?.metadata.name]).toEqual([undefined, 'late']);
    await w.pass(60);
    expect(w.rebalancer('late')).toBeUndefined();
  });

  it('is deferred when a workload is added before the ttl expired (corner case 1)', async () => {
    const w = new World();
    w.bind([a, b]);
    w.create('demo', [a], 60);
    await w.pass(50);
    w.edit('demo', { workloads: [a, b] });
    await w.pass(30);
    expect(w.rebalancer('demo')).toBeTruthy();
    await w.pass(40);
    expect(w.rebalancer('demo')).toBeUndefined();
  });

  it.each([
    ['shorter', 5, 12],
    ['longer', 600, 605],
  ])('goes by the latest ttl when it is made %s before it expired (corner case 2)', async (_, ttl, gone) => {
    const w = new World();
    w.bind([a]);
    w.create('demo', [a], 60);
    await w.pass(3);
    w.edit('demo', { ttlSecondsAfterFinished: ttl });
    await w.pass(gone - 3 - 10);
    expect(w.rebalancer('demo') !== undefined).toBe(true);
    await w.pass(10);
    expect(w.rebalancer('demo')).toBeUndefined();
  });

  it('is interrupted by an edit just before it (corner case 3)', async () => {
    const w = new World();
    w.bind([a, b]);
    w.create('demo', [a], 60);
    let once = true;
    w.hub.interference.before = ({ verb }) => {
      if (verb !== 'delete' || !once) return;
      once = false;
      w.edit('demo', { workloads: [a, b] });
    };
    await w.pass(65);
    expect(once).toBe(false);
    expect(w.results('demo')).toEqual(['Deployment shop/a=Successful', 'Deployment shop/b=Successful']);
    await w.pass(60);
    expect(w.rebalancer('demo')).toBeUndefined();
  });

  it('spares an object recreated under the same name', async () => {
    const w = new World();
    w.bind([a]);
    w.create('demo', [a], 60);
    await w.pass(30);
    w.delete('demo');
    w.create('demo', [a]);
    await w.pass(3600);
    expect(w.rebalancer('demo')).toBeTruthy();
    expect(w.results('demo')).toEqual(['Deployment shop/a=Successful']);
  });

  it('by a user while chunks run stops the rest', async () => {
    const w = new World();
    const workloads = deployments(800);
    w.bind(workloads);
    w.hub.interference.after = ({ verb }) => {
      if (verb === 'patch' && w.patches().length === 100) w.delete('demo');
    };
    w.create('demo', workloads);
    await w.pass(60);
    expect(w.patches().length).toBeGreaterThanOrEqual(100);
    expect(w.patches().length).toBeLessThanOrEqual(400);
    expect(w.deadLetters).toEqual([]);
  });
});
