/** The workload a rebalancer names (apps.karmada.io/v1alpha1 ObjectReference): its identity and its order. */

export interface ObjectReference {
  readonly apiVersion: string;
  readonly kind: string;
  /** Empty for a cluster-scoped object. */
  readonly namespace: string;
  readonly name: string;
}

/** Identity of a reference, and the text whose bytes order `status.observedWorkloads`. */
export function referenceKey(reference: ObjectReference): string {
  return `${reference.apiVersion} ${reference.kind} ${reference.namespace} ${reference.name}`;
}

/** "Deployment shop/web" or "ClusterRole reader", for display. */
export function referenceLabel(reference: ObjectReference): string {
  return `${reference.kind} ${reference.namespace === '' ? '' : `${reference.namespace}/`}${reference.name}`;
}

/** Whether both name one object, in whatever version of its API group. */
export function isSameObject(a: ObjectReference, b: ObjectReference): boolean {
  const unversioned = ({ apiVersion, ...rest }: ObjectReference) =>
    referenceKey({ ...rest, apiVersion: apiVersion.includes('/') ? apiVersion.replace(/\/.*/, '') : '' });
  return unversioned(a) === unversioned(b);
}

/**
 * Increasing order of the bytes of `apiVersion kind namespace name`, as Karmada sorts.
 * UTF-16 code units order differently from UTF-8 bytes only above U+FFFF, where a surrogate (D800–DFFF) would sort
 * before U+E000–U+FFFF; comparing code points is comparing UTF-8 bytes.
 */
export function compareReferences(a: ObjectReference, b: ObjectReference): number {
  const left = [...referenceKey(a)];
  const right = [...referenceKey(b)];
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const difference = (left[i]?.codePointAt(0) ?? 0) - (right[i]?.codePointAt(0) ?? 0);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

/** Sorted, each reference once: a list that names a workload twice asks for it once. */
export function distinctReferences(references: readonly ObjectReference[]): ObjectReference[] {
  const byKey = new Map(references.map((reference) => [referenceKey(reference), reference]));
  return [...byKey.values()].sort(compareReferences);
}
