/** `evenkeel decisions` on a real table protocol. */
import { describe, expect, it } from 'vitest';
import type { DeschedulingDecision } from '../../shared/model/descheduling.ts';
import { Fault } from '../../shared/model/fault.ts';
import { at } from '../builders.ts';
import { commandOnTable } from './command-on-table.ts';

const decision = (over: Partial<DeschedulingDecision>): DeschedulingDecision => ({
  hub: 'karmada',
  run: 'run-1',
  binding: { namespace: 'shop', name: 'web-deployment' },
  decidedAt: at(0),
  resourceVersion: '7',
  clusters: [
    { name: 'member1', assigned: 5, ready: 2, unschedulable: 3, taken: 3 },
    { name: 'member2', assigned: 3, ready: 2, unusable: 'EstimatorTimeout', taken: 0 },
  ],
  next: [
    { name: 'member1', replicas: 2 },
    { name: 'member2', replicas: 3 },
  ],
  taken: 3,
  outcome: 'Written',
  reason: '3 of 3 unschedulable replicas are taken out',
  ...over,
});

const evenkeel = commandOnTable(['decisions', '--hub', 'karmada'], async (table) => {
  const later = at(1e6);
  await table.descheduling.settle(decision({}), later);
  const withheld = { run: 'run-2', decidedAt: at(60), taken: 0, outcome: 'Withheld', reason: 'no room' } as const;
  await table.descheduling.settle(
    decision({ ...withheld, binding: { namespace: 'pay', name: 'api-deployment' } }),
    later,
  );
});

describe('evenkeel decisions', () => {
  it('tells the newest first, with what was read of each cluster and what was taken', async () => {
    expect((await evenkeel('--table', 'evenkeel')).split('\n')).toEqual([
      'TIME                  BINDING              OUTCOME   TAKEN  CLUSTERS                                   REASON',
      '2026-11-21T10:01:00Z  pay/api-deployment   Withheld      0  member1 5→2, member2 3 (EstimatorTimeout)  no room',
      '2026-11-21T10:00:00Z  shop/web-deployment  Written       3  member1 5→2, member2 3 (EstimatorTimeout)  3 of 3 unschedulable replicas are taken out',
      '',
    ]);
  });

  it('tells those of one namespace, as JSON', async () => {
    const { decisions } = JSON.parse(await evenkeel('--table', 'evenkeel', '-n', 'shop', '-o', 'json')) as {
      decisions: readonly object[];
    };
    expect(decisions).toMatchObject([
      { binding: { namespace: 'shop' }, decidedAt: '2026-11-21T10:00:00Z', next: { member1: 2, member2: 3 } },
    ]);
  });

  it('says so where there are none', async () => {
    expect(await evenkeel('--table', 'evenkeel', '-n', 'nobody')).toBe(
      'The descheduler has decided nothing on hub karmada, as far as its history goes.\n',
    );
  });

  it.each([
    [
      [],
      "the deployment's table is not named; name it with --table, or in EVENKEEL_TABLE_NAME; it is the output TableName of the state stack",
    ],
    [['--table', 'evenkeel', '--limit', '0'], '--limit "0" is not a whole number from 1 to 10000'],
    [['--table', 'evenkeel', '--limit', 'all'], '--limit "all" is not a whole number from 1 to 10000'],
  ])('refuses %j with the way out', async (args, message) => {
    await expect(evenkeel(...args)).rejects.toEqual(expect.objectContaining({ message }));
    await expect(evenkeel(...args)).rejects.toBeInstanceOf(Fault);
  });
});
