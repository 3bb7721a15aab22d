/** Sums what the members report onto the hub's own Deployment, so that `kubectl get deployments` shows how many are ready in all. */
import { isDeepStrictEqual } from 'node:util';
import { keyOf } from '../store/object-collection.ts';
import { controllerManager as by } from './actors.ts';
import { bindingAt, workKey } from './binding-view.ts';
import type { Controller, ControllerContext } from './work-loop.ts';

export function createWorkloadStatus({ store, loop }: ControllerContext): Controller {
  const queue = loop.queue(reconcile);

  function reconcile(key: string): void {
    const binding = bindingAt(store, key);
    if (binding === undefined) return;
    const { spec, status } = binding;
    const at = { namespace: spec.resource.namespace, name: spec.resource.name };
    const deployment = spec.resource.kind === 'Deployment' ? store.get('deployments', at) : undefined;
    if (deployment === undefined) return;
    const sum = (field: 'replicas' | 'readyReplicas') =>
      status.aggregatedStatus.reduce((total, reported) => total + (reported.status?.[field] ?? 0), 0);
    const replicas = sum('replicas');
    const ready = sum('readyReplicas');
    const total = {
      observedGeneration: deployment.metadata.generation,
      replicas,
      updatedReplicas: replicas,
      readyReplicas: ready,
      availableReplicas: ready,
    };
    if (isDeepStrictEqual(deployment.status, total)) return;
    store.patch('deployments', at, { type: 'merge', body: { status: total }, subresource: 'status' }, by);
  }

  return {
    onChange({ type, plural, object, previous }) {
      const reports = type !== 'DELETED' && plural === 'resourcebindings';
      if (reports && object.status?.aggregatedStatus !== previous?.status?.aggregatedStatus) {
        queue.add(workKey(plural, keyOf(object)));
      }
    },
  };
}
