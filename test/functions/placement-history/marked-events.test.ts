/** Hubs without the feature `history` cause no message for its queue: their events have no mark. */
import { describe, expect, it } from 'vitest';
import { admitBatch } from '../../../functions/cluster-hook/admit-batch.ts';
import { ReceiverStates } from '../../../functions/cluster-hook/receiver-state.ts';
import { LocalBus } from '../../../local/bus.ts';
import { createVirtualClock } from '../../../local/virtual-clock.ts';
import { BindingChanged, WorkloadRebalancerChanged } from '../../../shared/bus/catalogue.ts';
import { parseEvent, SOURCE } from '../../../shared/bus/event.ts';
import { markedFor } from '../../../shared/bus/watched-kinds.ts';

const changed = BindingChanged.of({ hub: 'karmada', namespace: 'shop', name: 'web-deployment' });
const rebalancer = WorkloadRebalancerChanged.of({ hub: 'karmada', name: 'demo' });

describe('the mark of a hub with history', () => {
  it('is on the events that are recorded, and on no other', () => {
    expect(markedFor([changed, rebalancer], { history: true })).toEqual([
      { ...changed, detail: { ...changed.detail, history: 1 } },
      rebalancer,
    ]);
    expect(markedFor([changed, rebalancer], {})).toEqual([changed, rebalancer]);
  });

  it('is not read by the consumers of the event', () => {
    const [event] = markedFor([changed], { history: true });
    const text = JSON.stringify({ source: SOURCE, 'detail-type': event?.type, detail: event?.detail });
    expect(parseEvent([BindingChanged], text).detail).toEqual({
      ...{ hub: 'karmada', namespace: 'shop', name: 'web-deployment' },
    });
  });

  it('selects the events of the queue of record-placements', async () => {
    const bus = new LocalBus({
      clock: createVirtualClock('2026-11-21T10:00:00Z'),
      newId: () => 'id',
      maxReceives: 3,
      onDeadLetter: () => {},
    });
    const recorded = () => [...bus.queues].find(([{ name }]) => name === 'record-placements')?.[1].depth;
    const scheduled = () => [...bus.queues].find(([{ name }]) => name === 'schedule-binding')?.[1].depth;
    await bus.publish([changed]);
    expect([recorded(), scheduled()]).toEqual([0, 1]);
    await bus.publish(markedFor([changed], { history: true }));
    expect([recorded(), scheduled()]).toEqual([1, 2]);
  });

  it('is set by the receiver of audit events if the hub has the feature', () => {
    const item = {
      ...{ auditID: 'a', stage: 'ResponseComplete', verb: 'update', responseStatus: { code: 200 } },
      objectRef: {
        apiGroup: 'work.karmada.io',
        resource: 'resourcebindings',
        namespace: 'shop',
        name: 'web-deployment',
      },
    };
    const batch = { hub: 'karmada', account: undefined, items: [item], perSecond: 100, now: 0 };
    const detailsOf = (recordsHistory: boolean) =>
      admitBatch({ ...batch, recordsHistory }, new ReceiverStates().of('karmada')).events.map(({ detail }) => detail);
    expect(detailsOf(true)).toEqual([{ ...changed.detail, history: 1 }]);
    expect(detailsOf(false)).toEqual([changed.detail]);
  });
});
