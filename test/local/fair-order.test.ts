/** The thresholds are those of the Amazon SQS developer guide, "How Amazon SQS fair queues work". */
import { describe, expect, it } from 'vitest';
import { FairOrder } from '../../local/fair-order.ts';

interface Message {
  readonly group: string | undefined;
  readonly id: string;
}

const MINUTE = 60_000;
const message = (id: string): Message => ({ group: id.replace(/\d+$/, ''), id });
const messages = (...ids: readonly string[]) => ids.map(message);

/** After each of these groups had so much processing time. */
function orderAfter(processingMs: Readonly<Record<string, number>>, now = 0): FairOrder {
  const order = new FairOrder();
  for (const [group, ms] of Object.entries(processingMs)) {
    order.begin({ group });
    order.end({ group }, ms, now);
  }
  return order;
}

const idsOf = (found: readonly Message[]) => found.map(({ id }) => id);

describe('the order of a fair queue', () => {
  it('is the order of arrival while no group is noisy', () => {
    expect(idsOf(new FairOrder().next(messages('a1', 'a2', 'b1'), 2, 0))).toEqual(['a1', 'a2']);
  });

  it('delivers a quiet group before older messages of a group with more than 10 % of the processing time', () => {
    const order = orderAfter({ a: 101, b: 99, others: 800 });
    expect(idsOf(order.next(messages('a1', 'a2', 'b1'), 1, 0))).toEqual(['b1']);
  });

  it('keeps the order of arrival for a group with 10 % of the processing time', () => {
    const order = orderAfter({ a: 100, b: 100, others: 800 });
    expect(idsOf(order.next(messages('a1', 'a2', 'b1'), 1, 0))).toEqual(['a1']);
  });

  it('delivers a quiet group before older messages of a group with 30 messages in flight', () => {
    const order = new FairOrder();
    for (let i = 0; i < 29; i++) order.begin({ group: 'a' });
    expect(idsOf(order.next(messages('a1', 'a2', 'b1'), 1, 0))).toEqual(['a1']);
    order.begin({ group: 'a' });
    expect(idsOf(order.next(messages('a1', 'a2', 'b1'), 1, 0))).toEqual(['b1']);
  });

  it('keeps the order of arrival for a group with 10 % of the messages in flight, those without a group included', () => {
    const order = new FairOrder();
    for (let i = 0; i < 30; i++) order.begin({ group: 'a' });
    for (let i = 0; i < 270; i++) order.begin({ group: undefined });
    expect(idsOf(order.next(messages('a1', 'a2', 'b1'), 1, 0))).toEqual(['a1']);
    order.end({ group: undefined }, 0, 0);
    expect(idsOf(order.next(messages('a1', 'a2', 'b1'), 1, 0))).toEqual(['b1']);
  });

  it('delivers messages of noisy groups evenly', () => {
    const order = orderAfter({ a: 500, b: 500 });
    order.begin({ group: 'a' });
    expect(idsOf(order.next(messages('a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'b3'), 5, 0))).toEqual([
      'b1',
      'a1',
      'b2',
      'a2',
      'b3',
    ]);
  });

  it('fills a batch with messages of noisy groups', () => {
    const order = orderAfter({ a: 1000 });
    expect(idsOf(order.next(messages('a1', 'a2', 'a3', 'b1'), 3, 0))).toEqual(['b1', 'a1', 'a2']);
  });

  it('treats a message without a group as one of a quiet group of its own', () => {
    const order = orderAfter({ a: 1000 });
    const alone = { group: undefined, id: 'alone' };
    expect(idsOf(order.next([...messages('a1', 'a2'), alone], 1, 0))).toEqual(['alone']);
  });

  it('forgets processing time of long ago', () => {
    const order = orderAfter({ a: 1000 });
    order.begin({ group: 'b' });
    order.end({ group: 'b' }, 1000, 10 * MINUTE);
    order.begin({ group: 'b' });
    expect(idsOf(order.next(messages('b1', 'b2', 'a1'), 1, 10 * MINUTE))).toEqual(['a1']);
  });
});
