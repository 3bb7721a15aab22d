import type { WorkloadName } from './parts.ts';

/** A write of a ManifestWork by our functions. */
export interface Write {
  readonly name: WorkloadName;
  readonly cluster: string;
  /** The replicas before; 0 if there was no ManifestWork. */
  readonly before: number;
  /** The replicas after; 0 if it was deleted. */
  readonly after: number;
  readonly detail: string;
}
