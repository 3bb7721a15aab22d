/** Asks for confirmation, with what the cluster has, and drains it. */
import { useState } from 'preact/hooks';
import type { FleetAnswer } from '../../shared/console-api/operations/fleet.ts';
import { plural } from '../format.ts';
import { ask } from '../live.ts';
import { carryOut } from '../parts/command-button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { onCluster } from './fleet-view.ts';

export interface DrainDialogProps {
  readonly hub: string;
  readonly fleet: FleetAnswer;
  readonly cluster: string;
  readonly onClose: () => void;
}

export function DrainDialog({ hub, fleet, cluster, onClose }: DrainDialogProps) {
  const [busy, setBusy] = useState(false);
  const { workloads, replicas } = onCluster(fleet, cluster);
  const submit = (event: Event): void => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    void carryOut(async () => {
      const { name, created } = await ask('drainCluster', { hub, cluster });
      onClose();
      return created ? `ClusterDrain ${name} is created` : `${cluster} is drained already by ClusterDrain ${name}`;
    }).finally(() => setBusy(false));
  };
  return (
    <Dialog title={`Drain ${cluster}`} onClose={onClose}>
      <form onSubmit={submit}>
        <p>
          <strong>
            {plural(replicas, 'replica')} of {plural(workloads, 'workload')}
          </strong>{' '}
          on it move to other clusters in waves. Each is removed when its replacement is ready, and the cluster gets no
          new ones until it is uncordoned.
        </p>
        <div class="dialog-end">
          <button type="button" class="button quiet" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="button main" aria-busy={busy} autofocus>
            Drain
          </button>
        </div>
      </form>
    </Dialog>
  );
}
