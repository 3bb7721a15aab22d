/** The two whose moves are compared. Only one is active at a time. */
import { REDUCTION_STRATEGY } from '../../shared/graceful-reduction/replica-reduction.ts';
import { startEvenkeel, stopEvenkeel } from '../../test/rig/parts/evenkeel.ts';
import { KARMADA_REBALANCER, startKarmadaRebalancer } from '../../test/rig/parts/karmada.ts';
import type { ReadyFleet } from './fleet.ts';

export interface ReadyContender {
  readonly name: 'Karmada, defaults' | 'Evenkeel';
  /** Of the workload's policy. */
  readonly annotations: Readonly<Record<string, string>>;
  enter(): Promise<void>;
  leave(): Promise<void>;
}

/** Both use karmada-scheduler. */
export function readyContenders({ rig, hub }: ReadyFleet): readonly ReadyContender[] {
  return [
    {
      name: 'Karmada, defaults',
      annotations: {},
      enter: () => startKarmadaRebalancer(rig, hub),
      leave: () => rig.processes.stop(KARMADA_REBALANCER),
    },
    {
      name: 'Evenkeel',
      annotations: { [REDUCTION_STRATEGY]: 'DelayWorkDeletion' },
      enter: () => startEvenkeel(rig, hub),
      leave: () => stopEvenkeel(rig),
    },
  ];
}
