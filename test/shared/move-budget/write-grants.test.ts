/** Grants of concurrent invocations on one hub. */
import { describe, expect, it } from 'vitest';
import { withinBudget } from '../../../shared/move-budget/write-grants.ts';
import { user } from '../../fakes/practice-fleet.ts';
import { World } from '../../fakes/world.ts';

const object = { apiVersion: 'evenkeel.dev/v1alpha1', kind: 'MoveBudget', metadata: { name: 'hub' } };

function begin(options: { readonly budgets?: boolean } = { budgets: true }) {
  const world = new World(options);
  const { hub, hubs, ledger, clock, telemetry } = world;
  world.store.create('movebudgets', { ...object, spec: { limits: [{ per: 'Hub', replicas: '5' }] } }, user);
  const context = { settings: {} as never, telemetry, newId: () => '', timeLeft: () => Number.POSITIVE_INFINITY };
  const ports = { hubs, ledger, now: () => clock.now(), ...context };
  world.bind(
    ['a', 'b', 'c', 'd'].map((name) => ({ apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name })),
  );
  const take = (name: string) =>
    withinBudget(
      hub,
      {
        namespaces: new Set(['shop']),
        decide: (budget) =>
          budget.take({
            ...{ binding: { namespace: 'shop', name: `${name}-deployment` }, reason: 'Policy', mover: name },
            ...{ leaves: { m1: 2 }, generation: 1, replicas: 2 },
          }).result,
      },
      ports,
    );
  return { world, take };
}

describe('grants on a hub', () => {
  it('of invocations at the same time are never more than a limit allows', async () => {
    const { take, world } = begin();
    const grants = await Promise.all(['a', 'b', 'c', 'd'].map((name) => take(name)));
    expect(grants.toSorted()).toEqual(['granted', 'granted', 'waits', 'waits']);
    expect((await world.ledger.read('karmada'))?.moves).toHaveLength(2);
  });

  it('are made again when those that they wait for are over', async () => {
    const { take, world } = begin();
    expect([await take('a'), await take('b'), await take('c')]).toEqual(['granted', 'granted', 'waits']);
    world.store.delete('resourcebindings', { namespace: 'shop', name: 'a-deployment' }, user);
    expect(await take('c')).toBe('granted');
  });

  it('need no request and no row where the hub is registered without budgets', async () => {
    const { take, world } = begin({});
    expect(await Promise.all(['a', 'b', 'c'].map((name) => take(name)))).toEqual(['granted', 'granted', 'granted']);
    expect([world.hub.calls, await world.ledger.read('karmada')]).toEqual([[], undefined]);
  });
});
