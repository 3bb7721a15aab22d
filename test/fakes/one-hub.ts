/** The hubs of a test: one, or none that may be called, and an empty connection. */
import type { HookAccess } from '../../shared/kubernetes/hook-access.ts';
import type { Hub, Hubs } from '../../shared/kubernetes/hub.ts';

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
    hasEstimator: async () => false,
    uses: async () => true,
    ...over,
  };
}

/** A hook that lets no caller in. */
export function hookAccess(over: Partial<HookAccess> = {}): HookAccess {
  return {
    mayRaiseEvents: async () => false,
    uses: async () => false,
    holdsReviewKey: async () => false,
    accountOf: async () => undefined,
    ...over,
  };
}
