/** Reads objects whose keys users choose (labels, annotations, resource names, cluster names): `constructor` is a valid label key and a valid cluster name. */

/** The value of an own property; undefined if the object has none of that name, regardless of its prototype. */
export function ownValue<T>(object: Readonly<Record<string, T>> | null | undefined, key: string): T | undefined {
  return object != null && Object.hasOwn(object, key) ? object[key] : undefined;
}
