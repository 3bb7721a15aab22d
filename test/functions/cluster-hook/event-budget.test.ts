import { describe, expect, it } from 'vitest';
import { admitBatch } from '../../../functions/cluster-hook/admit-batch.ts';
import { EventBudget } from '../../../functions/cluster-hook/event-budget.ts';
import { ReceiverStates } from '../../../functions/cluster-hook/receiver-state.ts';

const perSecond = 500;

describe("a hub's budget of events", () => {
  it('has ten seconds of them at once, and then asks to wait for what is owed', () => {
    const budget = new EventBudget();
    expect(budget.spend({ events: 6000, perSecond, now: 0 })).toBe(0);
    // 1,000 are owed: 2 s, and one event more must be there.
    expect(budget.spend({ events: 1, perSecond, now: 0 })).toBe(2002);
    expect(budget.spend({ events: 1, perSecond, now: 2002 })).toBe(0);
  });

  it('lets a batch through that is larger than it could ever hold', () => {
    expect(new EventBudget().spend({ events: 100_000, perSecond: 1, now: 0 })).toBe(0);
  });

  it('holds no more after a long silence than at the start', () => {
    const budget = new EventBudget();
    budget.spend({ events: 1, perSecond, now: 0 });
    budget.spend({ events: 5000, perSecond, now: 3_600_000 });
    expect(budget.spend({ events: 1, perSecond, now: 3_600_000 })).toBe(2);
  });

  it('admits a batch without events, even from a hub in debt', () => {
    const budget = new EventBudget();
    budget.spend({ events: 6000, perSecond, now: 0 });
    expect(budget.spend({ events: 0, perSecond, now: 0 })).toBe(0);
  });

  it('adds no debt for a batch that it rejected', () => {
    const budget = new EventBudget();
    budget.spend({ events: 5000, perSecond, now: 0 });
    const waits = [1, 2, 3].map(() => budget.spend({ events: 400, perSecond, now: 0 }));
    expect(waits).toEqual([2, 2, 2]);
  });

  it('earns nothing by a clock that goes back, and goes on when it goes forward again', () => {
    const budget = new EventBudget();
    budget.spend({ events: 5000, perSecond, now: 3_600_000 });
    expect(budget.spend({ events: 1, perSecond, now: 0 })).toBe(2);
    expect(budget.spend({ events: 1, perSecond, now: 2 })).toBe(0);
  });
});

describe('a batch', () => {
  const batch = { hub: 'karmada', account: undefined, items: [undefined], perSecond, now: 0, recordsHistory: false };

  it('is logged with its counts, unreadable ones as a metric', () => {
    const { counts, telemetry } = admitBatch(batch, new ReceiverStates().of('karmada'));
    expect(counts).toMatchObject({ events: 0, unreadable: 1 });
    expect(telemetry).toEqual([
      { metric: 'AuditEventsUnreadable', value: 1, dimensions: { hub: 'karmada' } },
      { code: 'EK100', fields: { hub: 'karmada', ...counts } },
    ]);
    expect(admitBatch({ ...batch, items: [] }, new ReceiverStates().of('karmada')).telemetry).toHaveLength(1);
  });
});
