/** What becomes of holds while no function of ours runs, and while their hub is paused. */
import { describe, expect, it } from 'vitest';
import {
  foundIn,
  noneFound,
  overdueHolds,
  telemetryOf,
} from '../../../functions/graceful-reduction/find-reductions.ts';
import { parseSettings, settingDefinitions } from '../../../shared/core/settings.ts';
import { toTimestamp } from '../../../shared/core/time.ts';
import { graceEnd, queueOf } from '../../../shared/graceful-reduction/replica-reduction.ts';
import { parsePlacedBinding } from '../../../shared/karmada/placed-binding.ts';
import { asking } from '../../fakes/ask.ts';
import { GracefulWorld, heldWorld, workload } from './scene.ts';

const GRACE_SECONDS = settingDefinitions.reductionGraceSeconds.default;

/** The template that each cluster reports, by number. */
function templates({ bindingObject }: GracefulWorld): Readonly<Record<string, unknown>> {
  const items = bindingObject.status?.aggregatedStatus as readonly {
    readonly clusterName: string;
    readonly status: { readonly resourceTemplateGeneration: number };
  }[];
  return Object.fromEntries(items.map(({ clusterName, status }) => [clusterName, status.resourceTemplateGeneration]));
}

describe('while the hub is paused', () => {
  it('carries out a scale-down at once', async () => {
    const world = new GracefulWorld();
    await world.begin();
    await asking(world.answerers)('pauseHub', { hub: 'karmada' });
    world.editWorkload({ replicas: 3 });
    await world.pass(10);
    expect([world.shares('ready'), world.queue]).toEqual(['1/1/1', {}]);
  });

  it('releases a hold in the first write past its grace, and a new image reaches every cluster', async () => {
    const world = await heldWorld();
    await asking(world.answerers)('pauseHub', { hub: 'karmada' });
    await world.pass(GRACE_SECONDS);
    expect(world.shares('ready')).toBe('0/6/6');
    world.editWorkload({ template: { spec: { containers: [{ name: 'web', image: 'web:2' }] } } });
    await world.pass(10);
    expect(world.queue).toEqual({});
    expect(templates(world)).toEqual({ member1: 2, member2: 2, member3: 2 });
  });

  it('lists what is held, with the end of its grace', async () => {
    const world = await heldWorld();
    await asking(world.answerers)('pauseHub', { hub: 'karmada' });
    const { reductions } = await asking(world.answerers)('listHeld', { hub: 'karmada' });
    expect(reductions).toEqual([
      expect.objectContaining({ binding: 'web-deployment', cluster: 'member2', replicas: 6, assigned: 4 }),
      expect.objectContaining({ binding: 'web-deployment', cluster: 'member3', replicas: 6, assigned: 4 }),
    ]);
  });
});

describe('pausing a hub with releaseHolds', () => {
  it('releases all that it holds, and nothing is held again', async () => {
    const world = await heldWorld();
    expect(await asking(world.answerers)('pauseHub', { hub: 'karmada', releaseHolds: true })).toMatchObject({
      released: 2,
    });
    await world.pass(120);
    expect([world.shares('ready'), world.queue]).toEqual(['0/4/4', {}]);
  });
});

describe('a hold whose release does not come', () => {
  it('is counted by resync from two minutes after its grace, so that an alarm reports it', async () => {
    const world = await heldWorld();
    const binding = parsePlacedBinding(world.bindingObject);
    const end = world.clock.now() + GRACE_SECONDS * 1000;
    const at = (now: number) => overdueHolds(binding, GRACE_SECONDS, now).map(({ cluster }) => cluster);
    expect(at(end)).toEqual([]);
    expect(at(end + 120_000)).toEqual(['member2', 'member3']);
    const suspended = { ...binding, spec: { ...binding.spec, suspension: { dispatching: true } } };
    expect(overdueHolds(suspended, GRACE_SECONDS, end + 120_000)).toEqual([]);
  });

  it('is logged with the end of the first grace period, and not while none is overdue', async () => {
    const world = await heldWorld();
    const binding = parsePlacedBinding(world.bindingObject);
    const ends = [...queueOf(binding).values()].map((task) => graceEnd(task, GRACE_SECONDS) ?? Number.NaN);
    const end = Math.min(...ends);
    const settings = parseSettings({ reductionGraceSeconds: GRACE_SECONDS });
    const found = (now: number, before = noneFound) => foundIn(before, [binding], { due: 0, settings, now });
    const lines = (now: number) => telemetryOf('eu', found(now)).filter((entry) => 'code' in entry);
    expect(lines(end)).toEqual([]);
    const since = toTimestamp(end);
    expect(lines(end + 180_000)).toEqual([{ code: 'EK331', fields: { hub: 'eu', overdue: 2, since } }]);
    // Of an earlier page of the same comparison.
    const earlier = { ...noneFound, overdue: 1, overdueSince: end - 60_000 };
    expect(found(end + 180_000, earlier)).toMatchObject({ overdue: 3, overdueSince: end - 60_000 });
    expect(found(end, earlier)).toMatchObject({ overdue: 1, overdueSince: end - 60_000 });
  });

  it('is scheduled to be released even where the hub noted the whole entry', async () => {
    const world = new GracefulWorld({
      words: {
        'evenkeel.dev/replica-reduction-strategy': 'DelayWorkDeletion',
        'evenkeel.dev/replica-reduction-grace-period-seconds': '60',
      },
    });
    await world.begin();
    await world.away();
    world.fleet.setReadyDelay('member1', 3600_000);
    world.create('home', [workload]);
    await world.pass(70);
    expect([world.shares('ready'), world.queue]).toEqual(['0/4/4', {}]);
  });
});
