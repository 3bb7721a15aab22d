/** A number in an object, at a path as a CustomResourceDefinition writes it: ".spec.replicas". */

function stepsOf(path: string): readonly string[] {
  return path.split('.').filter((step) => step !== '');
}

export function numberAt(object: unknown, path: string): number | undefined {
  const found = stepsOf(path).reduce<unknown>(
    (at, step) => (typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[step] : undefined),
    object,
  );
  return typeof found === 'number' ? found : undefined;
}

export function withNumber(object: unknown, path: string, number: number): Readonly<Record<string, unknown>> {
  const [first = '', ...rest] = stepsOf(path);
  const fields = typeof object === 'object' && object !== null ? (object as Record<string, unknown>) : {};
  return { ...fields, [first]: rest.length === 0 ? number : withNumber(fields[first], rest.join('.'), number) };
}
