/** The connections of a local run: made from a kubeconfig whose credential is somebody else's to renew, so none is ever due. */
import { Fault } from '../shared/model/fault.ts';
import type { HubConnections } from '../shared/ports/hub-connections.ts';

function notHere(hub: string): Fault {
  return new Fault('terminal', `a local run renews no token; that for hub ${hub} is its kubeconfig's`, {
    reason: 'NotDeployed',
  });
}

export const localConnections: HubConnections = {
  readToken: async () => undefined,
  requestToken: async (hub) => {
    throw notHere(hub);
  },
  replaceToken: async (hub) => {
    throw notHere(hub);
  },
};
