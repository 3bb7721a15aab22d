/** The hubs of a test: one, or none that may be called, and a connection that says nothing. */
import type { Hub, Hubs } from '../../shared/ports/hub.ts';

export function oneHub(hub?: Hub, over: Partial<Hubs> = {}): Hubs {
  const open = async () => {
    if (hub === undefined) throw new Error('no hub is to be called here');
    return hub;
  };
  return {
    names: async () => (hub === undefined ? [] : [hub.name]),
    connect: open,
    open,
    pauseOf: async () => undefined,
    mayRaiseEvents: async () => false,
    holdsReviewKey: async () => false,
    hasEstimator: async () => false,
    accountOf: async () => undefined,
    ...over,
  };
}
