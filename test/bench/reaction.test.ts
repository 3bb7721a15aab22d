import { describe, expect, it } from 'vitest';
import { auditList } from '../../bench/reaction/audit-post.ts';
import { window } from '../../bench/reaction/steady.ts';
import { rebalancerIn } from '../../bench/reaction/triggers-seen.ts';
import { admitChanges, parseEventList } from '../../functions/cluster-hook/admit-change.ts';
import { WorkloadRebalancerChanged } from '../../shared/bus/catalogue.ts';

describe('the events of the reaction bench', () => {
  it('are admitted by the hook', () => {
    const items = parseEventList(JSON.stringify(auditList('demo', new Date(0))));
    const { events, counts } = admitChanges({ hub: 'karmada' }, items);
    expect(counts).toMatchObject({ admitted: 1, unreadable: 0 });
    expect(events).toEqual([WorkloadRebalancerChanged.of({ hub: 'karmada', name: 'demo' })]);
  });
});

describe('the observed triggers', () => {
  const line = (type: string, annotations?: object) => JSON.stringify({ type, object: { metadata: { annotations } } });

  it('are attributed to the rebalancer that wrote them', () => {
    expect(rebalancerIn(line('MODIFIED', { 'evenkeel.dev/triggered-by': 'demo/uid-1' }))).toEqual(['demo']);
  });

  it('exclude bookmarks, new bindings and writes of other clients', () => {
    expect(
      ['', line('MODIFIED'), line('ADDED', { 'evenkeel.dev/triggered-by': 'demo/uid-1' })].flatMap(rebalancerIn),
    ).toEqual([]);
  });
});

describe('the bindings of a rebalancer', () => {
  it('follow those of the previous rebalancer, and wrap around at the end', () => {
    expect([0, 1, 2].map((number) => window(['a', 'b', 'c', 'd'], number, 3).join(''))).toEqual(['abc', 'dab', 'cda']);
  });
});
