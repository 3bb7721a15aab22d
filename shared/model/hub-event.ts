/** Events (core/v1) beside objects of a hub: written for people, and never read. */
import type { Resource } from './resource.ts';

/** What people are to notice beside an object. */
export interface Notice {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
  /** Names the occurrence: the same notice again is the same Event. */
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
