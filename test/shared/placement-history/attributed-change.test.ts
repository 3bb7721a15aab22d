/** Which recorded placements are the change of one mover. */
import { describe, expect, it } from 'vitest';
import { attributedChange, placementAtBegin } from '../../../shared/placement-history/attributed-change.ts';
import type { PlacementRow } from '../../../shared/placement-history/placement-row.ts';
import { at, deployment } from '../../builders.ts';

const workload = deployment('web');

function row(second: number, assigned: PlacementRow['assigned'], over: Partial<PlacementRow> = {}): PlacementRow {
  const version = String(100 + second);
  return {
    ...{ at: at(second), version, lastVersion: version, binding: { namespace: 'shop', name: 'web-deployment' } },
    ...{ uid: 'u1', workload, total: 4, assigned, ready: {}, marks: {}, cause: { by: 'Scheduler' } },
    ...over,
  };
}

const ours = { cause: { by: 'WorkloadRebalancer', name: 'home' } } as const;
const isOurs = ({ cause }: PlacementRow) => cause?.name === 'home';
const before = row(0, { m1: 4 });
/** Rows oldest first. */
const change = (rows: readonly PlacementRow[], known: PlacementRow | undefined = before) =>
  attributedChange({ page: { rows: rows.toReversed() }, before: known }, isOurs);

describe('the change of a mover', () => {
  it('is undefined if no row is of the mover, and if the only one is before the range', () => {
    expect(change([])).toBeUndefined();
    expect(change([row(5, { m2: 4 })])).toBeUndefined();
    expect(change([], row(0, { m1: 4 }, ours))).toBeUndefined();
  });

  it('goes from the row before its first change to its last change', () => {
    const rows = [row(5, { m1: 2, m2: 2 }, ours), row(9, { m2: 4 }, ours), row(20, { m3: 4 })];
    expect(change(rows)).toEqual({ before: { m1: 4 }, after: { m2: 4 }, at: at(9) });
  });

  it('starts after what others changed before it in the range', () => {
    expect(change([row(3, { m3: 4 }), row(5, { m2: 4 }, ours)])?.before).toEqual({ m3: 4 });
  });

  it('ends before what others changed after it', () => {
    expect(change([row(5, { m2: 4 }, ours), row(6, { m1: 4 })])?.after).toEqual({ m2: 4 });
  });

  it('has no placement before it if the row before has expired, or is of a deleted binding of the same name', () => {
    const moved = row(5, { m2: 4 }, ours);
    expect(attributedChange({ page: { rows: [moved] }, before: undefined }, isOurs)).toEqual({
      after: { m2: 4 },
      at: at(5),
    });
    expect(change([moved], row(0, { m1: 4 }, { uid: 'u0' }))).not.toHaveProperty('before');
    expect(change([moved], row(0, {}, { gone: true }))).not.toHaveProperty('before');
  });

  it('is not the end of the binding', () => {
    expect(change([row(5, {}, { ...ours, gone: true })])).toBeUndefined();
  });

  it('asks for each row with the one before it', () => {
    const pairs: string[] = [];
    attributedChange({ page: { rows: [row(9, { m3: 4 }), row(5, { m2: 4 })] }, before }, (each, earlier) => {
      pairs.push(`${earlier?.version}→${each.version}`);
      return false;
    });
    expect(pairs).toEqual(['100→105', '105→109']);
  });
});

describe('the placement when a range began', () => {
  it.each([
    ['that of the row before it', before, [row(5, { m2: 4 })], { m1: 4 }],
    ['that of a binding created in it', undefined, [row(5, { m2: 4 }, { cause: { by: 'Created' } })], { m2: 4 }],
    ['not known from a first record', undefined, [row(5, { m2: 4 }, { cause: { by: 'FirstRecord' } })], undefined],
    ['not known of a deleted binding', row(0, {}, { gone: true }), [], undefined],
    ['not known without rows', undefined, [], undefined],
  ] as const)('is %s', (_, known, rows, expected) => {
    expect(placementAtBegin({ page: { rows: rows.toReversed() }, before: known })).toEqual(expected);
  });
});
