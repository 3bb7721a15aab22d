import { describe, expect, it } from 'vitest';
import { at, deployment } from '../../builders.ts';
import { passing } from '../../fakes/store-hub.ts';
import { World } from '../../fakes/world.ts';

const [a, b] = [deployment('a'), deployment('b')];

describe('a passing error', () => {
  it('leaves result and reason empty, and is tried again until it succeeds', async () => {
    const w = new World();
    w.bind([a, b]);
    w.hub.interference.before = ({ verb, name }) => {
      if (verb === 'patch' && name === 'a-deployment' && w.clock.now() < at(20)) throw passing();
    };
    w.create('demo', [a, b]);
    await w.pass(10);
    expect(await w.task('demo')).toMatchObject({ state: 'Running', pendingChunks: [0] });
    await w.pass(60);
    expect(w.results('demo')).toEqual(['Deployment shop/a=Successful', 'Deployment shop/b=Successful']);
    expect(w.deadLetters).toEqual([]);
  });

  it('that lasts too long reaches the dead letters with its reason, and resync takes the work up again', async () => {
    const w = new World();
    w.bind([a]);
    let down = true;
    w.hub.interference.before = () => {
      if (down) throw passing();
    };
    w.create('demo', [a]);
    await w.pass(600);
    expect(w.deadLetters).toMatchObject([{ queue: 'plan-rebalance', reason: 'HubUnreachable' }]);
    down = false;
    await w.resync();
    await w.pass(60);
    expect(w.results('demo')).toEqual(['Deployment shop/a=Successful']);
  });

  it('of a poison message does not hold up the others', async () => {
    const w = new World();
    w.bind([a]);
    await w.bus.publish([{ type: 'WorkloadRebalancerChanged', detail: { hub: 'karmada', name: '', version: 1 } }]);
    w.create('demo', [a]);
    await w.pass(30);
    expect(w.deadLetters).toMatchObject([{ reason: 'UnreadableEvent' }]);
    expect(w.results('demo')).toEqual(['Deployment shop/a=Successful']);
  });
});
