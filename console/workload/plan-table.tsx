/** Current, Steady and Fresh replicas by cluster, with held replicas and their deadline. */
import type { WorkloadAnswer } from '../../shared/console-api/operations/fleet.ts';
import { plural, signed } from '../format.ts';
import { Chip } from '../parts/chip.tsx';
import { Icon } from '../parts/icon.tsx';
import { Empty } from '../parts/states.tsx';
import { Table } from '../parts/table-frame.tsx';
import { Age, Countdown } from '../parts/time.tsx';
import { type PlanRow, planRows } from './plan.ts';

export function PlanTable({ of }: { readonly of: Pick<WorkloadAnswer, 'clusters' | 'plan'> }) {
  const rows = planRows(of);
  if (rows.length === 0)
    return <Empty title="Not scheduled yet">Its clusters appear here when the scheduler has placed it.</Empty>;
  const most = Math.max(1, ...rows.map(({ now, fresh, steady }) => Math.max(now, fresh ?? 0, steady ?? 0)));
  const hasHeld = rows.some(({ held }) => held !== undefined);
  return (
    <>
      <Table
        label="Clusters and plans"
        kind="plan"
        isPlain
        columns={[
          'Cluster',
          ['number', 'Now'],
          ['share', <span class="sr-only">Share</span>],
          ['number', 'Ready'],
          ['number', 'Steady'],
          ['number', 'Fresh'],
        ]}
      >
        {rows.map((row) => (
          <Row key={row.name} row={row} most={most} />
        ))}
      </Table>
      {hasHeld && <HeldList rows={rows} />}
      <p class="plan-summary">
        {of.plan.fresh !== null && <strong>{freshText(of.plan.moves)} </strong>}
        <span class="muted">{of.plan.reason}</span>
      </p>
    </>
  );
}

function freshText(moves: number): string {
  return moves === 0 ? 'Fresh would move nothing.' : `Fresh would move ${plural(moves, 'replica')}.`;
}

function Row({
  row: { name, now, ready, held, steady, fresh },
  most,
}: {
  readonly row: PlanRow;
  readonly most: number;
}) {
  return (
    <tr>
      <th scope="row">
        {name}
        {held && (
          <span class="held-mark" title={`${held.replicas} held until replaced`}>
            <Icon name="held" tone="warn" />
            <span class="number">{held.replicas}</span>
            <span class="sr-only">held</span>
          </span>
        )}
      </th>
      <td class="col-number number">{now.toLocaleString()}</td>
      <td class="col-share">
        <span class="bar" aria-hidden="true">
          <span class="bar-part faint" style={{ transform: `scaleX(${now / most})` }} />
          <span class="bar-part plain" style={{ transform: `scaleX(${Math.min(ready, now) / most})` }} />
        </span>
      </td>
      <td class={`col-number number ${ready < now ? 'warn' : ''}`}>{ready.toLocaleString()}</td>
      <Planned planned={steady} now={now} />
      <Planned planned={fresh} now={now} />
    </tr>
  );
}

function Planned({ planned, now }: { readonly planned: number | null; readonly now: number }) {
  if (planned === null) return <td class="col-number muted">–</td>;
  const change = planned - now;
  return (
    <td class="col-number number">
      <span class={`change-by ${change > 0 ? 'good' : 'bad'}`}>{signed(change)}</span> {planned.toLocaleString()}
    </td>
  );
}

function HeldList({ rows }: { readonly rows: readonly PlanRow[] }) {
  return (
    <ul class="held-list">
      {rows.flatMap(({ name, held }) =>
        held === undefined
          ? []
          : [
              <li key={name}>
                <Icon name="held" tone="warn" />
                {name} keeps {plural(held.replicas, 'replica')} until their replacement is ready
                {held.since !== undefined && (
                  <>
                    ; since <Age time={held.since} />
                  </>
                )}
                {held.until !== undefined && (
                  <>
                    , at most <Countdown time={held.until} /> more
                  </>
                )}
              </li>,
            ],
      )}
    </ul>
  );
}

export function WorkloadState({ wanted, ready, held }: Readonly<Record<'wanted' | 'ready' | 'held', number>>) {
  if (held > 0)
    return (
      <Chip tone="warn" icon="held">
        moving, some held
      </Chip>
    );
  return ready >= wanted ? <Chip tone="good">all ready</Chip> : <Chip tone="busy">getting ready</Chip>;
}
