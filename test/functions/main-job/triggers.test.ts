import { describe, expect, it } from 'vitest';
import { at, deployment, deployments } from '../../builders.ts';
import { passing } from '../../fakes/store-hub.ts';
import { World } from '../../fakes/world.ts';

const a = deployment('a');

describe('a trigger', () => {
  it('is not lost when the binding was scheduled between creation and patch', async () => {
    const w = new World();
    w.bind([a]);
    w.hook = false;
    w.create('demo', [a]);
    await w.pass(5);
    w.scheduleNow(a);
    await w.publishRebalancer('demo');
    await w.pass(30);
    expect(w.binding(a).trigger).toBe(at(6));
    expect(w.binding(a).scheduled).toBeGreaterThanOrEqual(at(6));
  });

  it('is not lost for a second rebalancer in the same second', async () => {
    const w = new World();
    w.bind([a]);
    w.create('first', [a]);
    await w.pass(0.3);
    expect(w.binding(a)).toMatchObject({ trigger: at(0), scheduled: at(0) });
    w.create('second', [a]);
    await w.pass(30);
    expect(w.binding(a)).toMatchObject({ trigger: at(1), scheduled: at(1) });
    expect(w.results('second')).toEqual(['Deployment shop/a=Successful']);
  });

  it('is not lost when the scheduler writes between our read and our patch (409)', async () => {
    const w = new World();
    w.bind([a]);
    let once = true;
    w.hub.interference.before = ({ verb }) => {
      if (verb !== 'patch' || !once) return;
      once = false;
      w.scheduleNow(a);
    };
    w.create('demo', [a]);
    await w.pass(30);
    expect(w.binding(a).trigger).toBe(at(1));
    expect(w.binding(a).scheduled).toBe(at(1));
  });

  it('that is held, and one whose binding keeps changing, are distinguished in the report of their chunk', async () => {
    const w = new World();
    const b = deployment('b');
    // In the second of its last scheduling a trigger is held for the next one.
    w.bind([a], 0);
    w.bind([b]);
    let changes = 0;
    w.hub.interference.before = ({ verb, name }) => {
      if (verb !== 'patch' || name !== 'b-deployment' || w.clock.now() >= at(3)) return;
      changes += 1;
      const body = { metadata: { annotations: { changes: String(changes) } } };
      const key = { namespace: 'shop', name };
      w.store.patch('resourcebindings', key, { type: 'merge', body }, { username: 'a', manager: 'a' });
    };
    w.create('demo', [a, b]);
    await w.pass(30);
    const again = await w.telemetry.lines({ about: [{ code: 'EK001' }], since: 0, limit: 100 });
    // The newest line comes first.
    expect(again.at(-1)?.fields.error).toBe("1 trigger held for a second of the scheduler's clock");
    const goesOn = w.reasons.filter((reason) => reason.includes('chunk 0 goes on'));
    expect(goesOn).toEqual([expect.stringMatching(/goes on: some bindings kept changing under the write\)$/)]);
    expect(w.results('demo')).toEqual(['Deployment shop/a=Successful', 'Deployment shop/b=Successful']);
  });

  it('of two rebalancers at once ends with both done and the field never going backwards', async () => {
    const w = new World();
    const workloads = deployments(120);
    w.bind(workloads);
    const seen: number[] = [];
    w.store.onChange(({ object }) => {
      if (object.metadata.name === 'w0000-deployment') seen.push(w.binding(deployment('w0000')).trigger ?? 0);
    });
    w.create('first', workloads);
    w.create('second', workloads);
    await w.pass(60);
    for (const name of ['first', 'second'])
      expect(await w.task(name)).toMatchObject({ state: 'Finished', successful: 120 });
    expect(seen).toEqual([...seen].sort((x, y) => x - y));
  });

  it('left by a lost reply is not written twice', async () => {
    const w = new World({ scheduler: false });
    w.bind([a]);
    let once = true;
    w.hub.interference.after = ({ verb, plural }) => {
      if (verb !== 'patch' || plural !== 'resourcebindings' || !once) return;
      once = false;
      throw passing();
    };
    w.create('demo', [a]);
    await w.pass(30);
    expect(w.results('demo')).toEqual(['Deployment shop/a=Successful']);
    expect(w.binding(a)).toMatchObject({ trigger: at(0), generation: 2 });
  });
});
