/** Reads what may hold reductions on a hub: bindings, and ElasticWorkloads by their metadata. */
import { elasticClaims } from '../elastic-workload/elastic-workload.ts';
import { allBindings } from '../karmada/list-bindings.ts';
import type { Hub } from '../kubernetes/hub.ts';
import { listIfServed } from '../kubernetes/list-all.ts';

export async function readHeldObjects(hub: Hub) {
  const [bindings, ...claims] = await Promise.all([
    allBindings(hub),
    ...elasticClaims.map((kind) => listIfServed(hub, kind, ({ uid }) => uid)),
  ]);
  return { bindings, claims: claims.flat() };
}
