/** Shows what a rebalance would move, and commands it on confirmation. */
import { useState } from 'preact/hooks';
import type { WorkloadAnswer } from '../../shared/console-api/operations/fleet.ts';
import { nameOf, plural, signed } from '../format.ts';
import { ask } from '../live.ts';
import { goTo } from '../location.ts';
import { CommandDialog } from '../parts/command-dialog.tsx';
import { TableHead } from '../parts/table-frame.tsx';
import { planRows } from './plan.ts';

const keeps = [
  ['', 'keep the object'],
  ['600', 'delete it after 10 min'],
  ['3600', 'delete it after an hour'],
  ['86400', 'delete it after a day'],
] as const;

export interface RebalanceDialogProps {
  readonly hub: string;
  readonly of: WorkloadAnswer;
  readonly onClose: () => void;
}

export function RebalanceDialog({ hub, of, onClose }: RebalanceDialogProps) {
  const [keep, setKeep] = useState('');
  const rebalance = async (): Promise<string> => {
    const ttl = keep === '' ? {} : { ttlSecondsAfterFinished: Number(keep) };
    const { name } = await ask('createRebalancer', { hub, workloads: [{ ...of.workload }], ...ttl });
    goTo({ page: 'task', hub, name });
    return `${name} is created`;
  };
  return (
    <CommandDialog title={`Rebalance ${nameOf(of.workload)}`} verb="Rebalance" command={rebalance} onClose={onClose}>
      <p>
        <strong>
          {of.plan.moves === 0 ? 'Nothing would move.' : `${plural(of.plan.moves, 'replica')} would move.`}
        </strong>{' '}
        <span class="muted">{of.plan.reason}</span>
      </p>
      <Changes of={of} />
      <label class="field inline">
        <span>When it has finished</span>
        <select value={keep} onChange={(event) => setKeep(event.currentTarget.value)}>
          {keeps.map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      </label>
    </CommandDialog>
  );
}

function Changes({ of }: { readonly of: WorkloadAnswer }) {
  const rows = planRows(of);
  return (
    <table class="table compact">
      <TableHead columns={['Cluster', ['number', 'Now'], ['number', 'Then'], ['number', 'Change']]} />
      <tbody>
        {rows.map(({ name, now, fresh }) => (
          <tr key={name} class={fresh === null || fresh === now ? 'muted' : ''}>
            <th scope="row">{name}</th>
            <td class="col-number number">{now.toLocaleString()}</td>
            <td class="col-number number">{(fresh ?? now).toLocaleString()}</td>
            <td class={`col-number number ${(fresh ?? now) > now ? 'good' : 'bad'}`}>{signed((fresh ?? now) - now)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
