/** The connection of a local run: from a kubeconfig whose credential another system renews, so no renewal is ever due; a hub can be paused. */
import { Fault } from '../shared/core/fault.ts';
import type { HubConnections } from '../shared/kubernetes/hub-connections.ts';
import type { Pause } from '../shared/kubernetes/hub-pause.ts';

/** As LocalHubs: unknown names are rejected. */
export interface PausableHubs {
  pauseOf(name: string): Promise<Pause | undefined>;
  setPause(name: string, pause: Pause | undefined): void;
}

function notHere(hub: string): Fault {
  return new Fault('terminal', `a local run renews no token; that for hub ${hub} is its kubeconfig's`, {
    reason: 'NotDeployed',
  });
}

export function localConnections(hubs: PausableHubs): HubConnections {
  return {
    readToken: async () => undefined,
    requestToken: async (hub) => {
      throw notHere(hub);
    },
    replaceToken: async (hub) => {
      throw notHere(hub);
    },
    pause: async (hub, pause) => {
      const held = await hubs.pauseOf(hub);
      if (held === undefined) hubs.setPause(hub, pause);
      return held ?? pause;
    },
    resume: async (hub) => {
      const held = await hubs.pauseOf(hub);
      if (held !== undefined) hubs.setPause(hub, undefined);
      return held;
    },
  };
}
