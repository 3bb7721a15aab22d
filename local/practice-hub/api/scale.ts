/** The scale subresource of a workload (autoscaling/v1), for `kubectl scale`. */
import { numberAt, withNumber } from '../../../shared/elastic-workload/number-at.ts';
import type { KindDefinition } from '../store/kind-definition.ts';
import type { KubeObject, ObjectMeta } from '../store/objects.ts';
import { badRequest } from '../store/status-error.ts';
import { fieldAt } from '../store/structural-schema.ts';
import { valuesAt } from './json-path.ts';
import { selectorText } from './printer-columns.ts';

export function scaleOf({ scale }: KindDefinition, object: KubeObject): KubeObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const metadata = { name, ...(namespace !== undefined && { namespace }), uid, resourceVersion, creationTimestamp };
  const { labelSelectorPath: path, specReplicasPath = SPEC_REPLICAS, statusReplicasPath = '' } = scale ?? {};
  const selector = path === undefined ? selectorText(object) : valuesAt(object, path)?.[0];
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: metadata as ObjectMeta,
    spec: { replicas: numberAt(object, specReplicasPath) ?? 0 },
    status: {
      replicas: numberAt(object, statusReplicasPath) ?? 0,
      ...(selector !== undefined && { selector }),
    },
  };
}

const SPEC_REPLICAS = '.spec.replicas';

/** The object with the replicas of a Scale, and with its resourceVersion as the precondition. */
export function withScale({ scale }: KindDefinition, object: KubeObject, wanted: unknown): object {
  const replicas = fieldAt(wanted, 'spec', 'replicas') ?? 0;
  const resourceVersion = fieldAt(wanted, 'metadata', 'resourceVersion') ?? object.metadata.resourceVersion;
  const name = fieldAt(wanted, 'metadata', 'name') ?? object.metadata.name;
  if (typeof replicas !== 'number') throw badRequest('spec.replicas of the Scale is not a number');
  const scaled = withNumber(object, scale?.specReplicasPath ?? SPEC_REPLICAS, replicas);
  return { ...scaled, metadata: { ...object.metadata, resourceVersion, name } };
}
