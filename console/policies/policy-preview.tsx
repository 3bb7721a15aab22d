/** What a RebalancePolicy would move now: planned when it is asked for, since the whole hub is read for it. */
import { useState } from 'preact/hooks';
import type { ApiError } from '../../shared/console-api/api-client.ts';
import type { PolicyPreviewAnswer } from '../../shared/console-api/operations/policies.ts';
import { bindingOf, movesText, nameOf, plural } from '../format.ts';
import { ask } from '../live.ts';
import { Table } from '../parts/table-frame.tsx';
import { hrefOf } from '../route.ts';

export interface PolicyPreviewProps {
  readonly hub: string;
  readonly name: string;
}

interface PreviewState {
  readonly busy: boolean;
  readonly answer?: PolicyPreviewAnswer;
  readonly error?: string;
}

export function PolicyPreview({ hub, name }: PolicyPreviewProps) {
  const [state, setState] = useState<PreviewState>({ busy: false });
  const plan = (): void => {
    if (state.busy) return;
    setState({ ...state, busy: true });
    ask('previewPolicy', { hub, name }).then(
      (answer) => setState({ busy: false, answer }),
      (thrown: ApiError) => setState({ busy: false, error: thrown.message }),
    );
  };
  return (
    <section class="panel" aria-labelledby="preview-title">
      <div class="panel-head">
        <h2 id="preview-title">What it would do now</h2>
        <button type="button" class="button quiet" aria-busy={state.busy} onClick={plan}>
          {state.answer === undefined ? 'Plan a run' : 'Plan again'}
        </button>
        <span class="muted">moves nothing</span>
      </div>
      {state.error !== undefined && (
        <p class="notice bad" role="alert">
          {state.error}
        </p>
      )}
      {state.answer !== undefined && <Planned hub={hub} of={state.answer} />}
    </section>
  );
}

function Planned({ hub, of }: { readonly hub: string; readonly of: PolicyPreviewAnswer }) {
  const { triggers, waves, skipped, workloads, replicas, still, unselected, notes } = of;
  const moves = waves.flatMap((wave, i) => wave.map((move) => ({ move, wave: String(i + 1) })));
  const rows = [...moves, ...skipped.map((move) => ({ move, wave: 'skipped' }))];
  return (
    <>
      <p class="panel-empty" role="status">
        If {triggers.join(', ') || 'a run is requested'}: {plural(replicas, 'replica')} of{' '}
        {plural(workloads, 'workload')} would move in {plural(waves.length, 'wave')}; {skipped.length} skipped, {still}{' '}
        stay, {unselected} not selected. {notes.join(' ')}
      </p>
      {rows.length > 0 && (
        <Table
          label="Moves of the planned run"
          isPlain
          columns={['Workload', ['state', 'Wave'], ['number', 'Moves'], 'Clusters', 'Why']}
        >
          {rows.map(({ move, wave }) => (
            <tr key={`${wave} ${nameOf(move.workload)}`} class={wave === 'skipped' ? 'muted' : ''}>
              <th scope="row">
                <a href={hrefOf({ page: 'workload', hub, ...bindingOf(move.workload) })}>{nameOf(move.workload)}</a>
              </th>
              <td>{wave}</td>
              <td class="col-number number">{move.moves}</td>
              <td class="number">{movesText(move.current, move.next)}</td>
              <td class="muted prose">{move.reason}</td>
            </tr>
          ))}
        </Table>
      )}
    </>
  );
}
