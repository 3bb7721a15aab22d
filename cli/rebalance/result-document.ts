/** The result of a rebalance that was waited for, for -o json and -o yaml. */
import { keyText } from '../../shared/kubernetes/object-key.ts';
import type { Followed, Progress } from './follow-rebalance.ts';

export function resultDocument({ name, bindings }: Followed, { counts, progresses, gone }: Progress): object {
  return {
    rebalancer: name,
    deleted: gone,
    counts,
    workloads: bindings.map(({ metadata, spec: { resource } }) => {
      const { state, reason } = progresses.get(keyText(metadata)) ?? { state: 'waiting', reason: 'not triggered yet' };
      return { kind: resource.kind, namespace: resource.namespace, name: resource.name, state, reason };
    }),
  };
}
