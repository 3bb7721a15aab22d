/** Where an object lives on its hub. */
export interface ObjectKey {
  /** Empty for a cluster-scoped object. */
  readonly namespace: string;
  readonly name: string;
}

/** "namespace/name", or "/name" for a cluster-scoped object: unique within a kind, since neither part may hold a slash. */
export function keyText(key: ObjectKey): string {
  return `${key.namespace}/${key.name}`;
}
