/** The part of JSONPath that columns and feedback rules are written in: ".spec.replicas", ".status.conditions[?(@.type=="Ready")].status", ".urls[*].url". */

const STEP = /\.([A-Za-z_$][\w-]*)|\[\*\]|\[(\d+)\]|\[\?\(@\.([\w.]+)==["']([^"']*)["']\)\]/y;

type PathStep = (value: unknown) => readonly unknown[];

const field =
  (name: string): PathStep =>
  (value) =>
    typeof value === 'object' && value !== null && Object.hasOwn(value, name)
      ? [(value as Record<string, unknown>)[name]]
      : [];

const items: PathStep = (value) => (Array.isArray(value) ? (value as readonly unknown[]) : []);

/** Every value at the path; undefined where the path has something in it that is not served here. */
export function valuesAt(object: unknown, path: string): readonly unknown[] | undefined {
  const text = path.startsWith('.') || path.startsWith('[') ? path : `.${path}`;
  let values: readonly unknown[] = [object];
  for (let at = 0; at < text.length; ) {
    STEP.lastIndex = at;
    const found = STEP.exec(text);
    if (found === null) return undefined;
    at = STEP.lastIndex;
    values = values.flatMap(stepOf(found));
  }
  return values;
}

function stepOf([, name, index, key, wanted]: RegExpExecArray): PathStep {
  if (name !== undefined) return field(name);
  if (index !== undefined) return (value) => items(value).slice(Number(index), Number(index) + 1);
  if (key === undefined) return items;
  return (value) => items(value).filter((item) => valuesAt(item, key)?.[0] === wanted);
}
