/** The state of a workload in one word. */
import { Chip } from '../parts/chip.tsx';

export function WorkloadState({ wanted, ready, held }: Readonly<Record<'wanted' | 'ready' | 'held', number>>) {
  if (held > 0)
    return (
      <Chip tone="warn" icon="held">
        moving, some held
      </Chip>
    );
  return ready >= wanted ? <Chip tone="good">all ready</Chip> : <Chip tone="busy">getting ready</Chip>;
}
