/** Whether the schema of a CRD bounds every list and string: otherwise an API server rejects its rules for their estimated cost. */

export interface Schema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly maxLength?: number;
  /** Of a time, which an API server bounds itself. */
  readonly format?: string;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

/** Fields of lists and texts without a bound. */
export function unbounded(
  path: string,
  { type, enum: words, maxLength, maxItems, format, properties, items }: Schema,
): string[] {
  const bounded = type === 'array' ? maxItems : type === 'string' ? (maxLength ?? words ?? format) : 0;
  return [
    ...(bounded === undefined ? [path] : []),
    ...Object.entries(properties ?? {}).flatMap(([name, field]) => unbounded(`${path}.${name}`, field)),
    ...(items ? unbounded(`${path}[]`, items) : []),
  ];
}
