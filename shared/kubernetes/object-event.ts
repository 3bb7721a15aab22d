/** Events (core/v1) about objects of a hub: written for users, never read. */
import type { Resource } from './resource.ts';

/** An Event about an object. */
export interface ObjectEvent {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
  /** Identifies the occurrence: a repeated Event updates the existing one. */
  readonly id: string;
}

export const hubEvents: Resource<undefined> = {
  group: '',
  version: 'v1',
  kind: 'Event',
  plural: 'events',
  namespaced: true,
  pageSize: 100,
  parse: () => undefined,
};
