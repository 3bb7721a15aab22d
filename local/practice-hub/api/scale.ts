/** The scale subresource of a workload (autoscaling/v1), for `kubectl scale`. */
import type { KindDefinition } from '../store/kind-definition.ts';
import type { KubeObject, ObjectMeta } from '../store/objects.ts';
import { badRequest } from '../store/status-error.ts';
import { isFields } from '../store/structural-schema.ts';
import { fieldAt, selectorText } from './printer-columns.ts';

export function scaleOf({ scale }: KindDefinition, object: KubeObject): KubeObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const metadata = { name, ...(namespace !== undefined && { namespace }), uid, resourceVersion, creationTimestamp };
  const selector = scale === undefined ? selectorText(object) : at(object, scale.labelSelectorPath);
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: metadata as ObjectMeta,
    spec: { replicas: at(object, scale?.specReplicasPath ?? SPEC_REPLICAS) ?? 0 },
    status: {
      replicas: at(object, scale?.statusReplicasPath ?? '.status.replicas') ?? 0,
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
  const scaled = withField(object, stepsOf(scale?.specReplicasPath ?? SPEC_REPLICAS), replicas);
  return { ...scaled, metadata: { ...object.metadata, resourceVersion, name } };
}

function at(object: KubeObject, path: string): unknown {
  return fieldAt(object, ...stepsOf(path));
}

/** A CRD's scale paths contain only fields. */
function stepsOf(path: string): readonly string[] {
  return path.split('.').slice(1);
}

function withField(object: unknown, [first = '', ...rest]: readonly string[], value: unknown): object {
  const fields = isFields(object) ? object : {};
  return { ...fields, [first]: rest.length === 0 ? value : withField(fields[first], rest, value) };
}
