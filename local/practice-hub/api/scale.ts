/** The scale subresource: a workload seen as a number of replicas (autoscaling/v1), for `kubectl scale`. */
import type { KubeObject, ObjectMeta } from '../store/objects.ts';
import { badRequest } from '../store/status-error.ts';
import { fieldAt, selectorText } from './printer-columns.ts';

export function scaleOf(object: KubeObject): KubeObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const metadata = { name, ...(namespace !== undefined && { namespace }), uid, resourceVersion, creationTimestamp };
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: metadata as ObjectMeta,
    spec: { replicas: fieldAt(object, 'spec', 'replicas') ?? 0 },
    status: { replicas: fieldAt(object, 'status', 'replicas') ?? 0, selector: selectorText(object) },
  };
}

/** The object with the replicas of a Scale, and with its resourceVersion, so that a condition stays one. */
export function withScale(object: KubeObject, scale: unknown): object {
  const replicas = fieldAt(scale, 'spec', 'replicas') ?? 0;
  const resourceVersion = fieldAt(scale, 'metadata', 'resourceVersion') ?? object.metadata.resourceVersion;
  const name = fieldAt(scale, 'metadata', 'name') ?? object.metadata.name;
  if (typeof replicas !== 'number') throw badRequest('spec.replicas of the Scale is not a number');
  return { ...object, spec: { ...object.spec, replicas }, metadata: { ...object.metadata, resourceVersion, name } };
}
