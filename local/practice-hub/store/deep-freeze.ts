/** Freezes an object with all it holds, for the store. Parts frozen already are passed over, so versions that share parts are cheap. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const part of Object.values(value)) deepFreeze(part);
  return value;
}
