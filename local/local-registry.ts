/** The registry of a local run: its one hub, which its options name. */
import { Fault } from '../shared/core/fault.ts';
import type { Hubs } from '../shared/kubernetes/hub.ts';
import type { HubRecord, HubRegistry } from '../shared/kubernetes/hub-registry.ts';

function notHere(): Fault {
  return new Fault('terminal', 'a local run has one hub; register hubs in a deployment', { reason: 'NotDeployed' });
}

export function localRegistry(hubs: Pick<Hubs, 'names' | 'pauseOf'>): HubRegistry {
  const callers = { tokenDigests: [], reviewKeyDigests: [], subjects: [] };
  const read = async (name: string): Promise<HubRecord | undefined> => {
    if (!(await hubs.names()).includes(name)) return undefined;
    const pause = await hubs.pauseOf(name);
    return { name, state: 'Active', features: [], server: '', callers, pause, revision: 1 };
  };
  const reject = async () => {
    throw notHere();
  };
  return {
    list: async () => (await Promise.all((await hubs.names()).map(read))).filter((record) => record !== undefined),
    read,
    write: reject,
    delete: reject,
    publishedUntil: async () => undefined,
    markPublished: reject,
  };
}
