/** Asks for confirmation, with what the cluster has, and drains it. */
import type { FleetAnswer } from '../../shared/console-api/operations/fleet.ts';
import { plural } from '../format.ts';
import { ask } from '../live.ts';
import { CommandDialog } from '../parts/command-dialog.tsx';
import { onCluster } from './fleet-view.ts';

export interface DrainDialogProps {
  readonly hub: string;
  readonly fleet: FleetAnswer;
  readonly cluster: string;
  readonly onClose: () => void;
}

export function DrainDialog({ hub, fleet, cluster, onClose }: DrainDialogProps) {
  const { workloads, replicas } = onCluster(fleet, cluster);
  const drain = async (): Promise<string> => {
    const { name, created } = await ask('drainCluster', { hub, cluster });
    onClose();
    return created ? `ClusterDrain ${name} is created` : `${cluster} is drained already by ClusterDrain ${name}`;
  };
  return (
    <CommandDialog title={`Drain ${cluster}`} verb="Drain" command={drain} onClose={onClose}>
      <p>
        <strong>
          {plural(replicas, 'replica')} of {plural(workloads, 'workload')}
        </strong>{' '}
        on it move to other clusters in waves. Each is removed when its replacement is ready, and the cluster gets no
        new ones until it is uncordoned.
      </p>
    </CommandDialog>
  );
}
