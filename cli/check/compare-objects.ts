/** Decides whether an object on a hub is as it was printed: defaults of the API server are no difference. */

/** The path of the first difference: "spec.validations[0].expression"; undefined if there is none. */
export function difference(printed: unknown, there: unknown, path = ''): string | undefined {
  if (Array.isArray(printed)) {
    if (!Array.isArray(there) || there.length !== printed.length) return path;
    return first(printed.map((each, i) => difference(each, there[i], `${path}[${i}]`)));
  }
  if (typeof printed === 'object' && printed !== null) {
    if (typeof there !== 'object' || there === null) return path;
    const fields = there as Readonly<Record<string, unknown>>;
    return first(
      Object.entries(printed)
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => difference(value, fields[name], path === '' ? name : `${path}.${name}`)),
    );
  }
  // Defaults that are omitted when stored: an empty text or list equals none.
  return printed === there || (printed === '' && there === undefined) ? undefined : path;
}

function first(found: readonly (string | undefined)[]): string | undefined {
  return found.find((each) => each !== undefined);
}
