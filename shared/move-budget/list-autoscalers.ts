/** Lists the autoscalers of a hub that may scale workloads in some namespaces. */
import type { Hub } from '../kubernetes/hub.ts';
import { listIfServed } from '../kubernetes/list-all.ts';
import { type Autoscaler, autoscalers } from './autoscaler.ts';

/** Without kinds that the hub does not serve. */
export async function listAutoscalers(hub: Hub, namespaces: ReadonlySet<string>): Promise<readonly Autoscaler[]> {
  const [only] = namespaces.size === 1 ? namespaces : [];
  const within = only === undefined ? {} : { namespace: only };
  const found = await Promise.all(autoscalers.map((kind) => listIfServed(hub, kind, ({ of }) => of, within)));
  return found.flat().filter(({ target }) => namespaces.has(target.namespace));
}
