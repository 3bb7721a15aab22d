import type { WorkloadName } from './parts.ts';

/** A write of ours. */
export interface Write {
  readonly name: WorkloadName;
  readonly cluster: string;
  /** The number before; 0 where there was no work. */
  readonly before: number;
  /** 0 where it was deleted. */
  readonly after: number;
  readonly says: string;
}
