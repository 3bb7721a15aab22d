/** Events (core/v1) beside objects of a hub: written for people, and never read. */
import type { Resource } from './resource.ts';

export const hubEvents: Resource<undefined> = {
  group: '',
  version: 'v1',
  kind: 'Event',
  plural: 'events',
  namespaced: true,
  pageSize: 100,
  parse: () => undefined,
};
