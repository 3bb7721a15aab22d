/** Lists the autoscalers of a hub that may scale workloads in some namespaces. */
import type { Hub } from '../kubernetes/hub.ts';
import { listInNamespaces } from '../kubernetes/list-all.ts';
import { type Autoscaler, autoscalers } from './autoscaler.ts';

/** Without kinds that the hub does not serve. */
export async function listAutoscalers(hub: Hub, namespaces: ReadonlySet<string>): Promise<readonly Autoscaler[]> {
  const keyOf = ({ of, target }: Autoscaler) => ({ namespace: target.namespace, name: of });
  return (await Promise.all(autoscalers.map((kind) => listInNamespaces(hub, kind, { namespaces, keyOf })))).flat();
}
