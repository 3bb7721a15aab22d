/** The order of resourceVersions: since Kubernetes 1.35 those of one resource on one API server are increasing integers. */

/**
 * Whether `a` is later than `b`; undefined if either is not such a number: an aggregated API server may use another form. They have more
 * digits than a JavaScript number holds.
 */
export function isLaterVersion(a: string | undefined, b: string | undefined): boolean | undefined {
  if (!isNumber(a) || !isNumber(b)) return undefined;
  return a.length === b.length ? a > b : a.length > b.length;
}

function isNumber(text: string | undefined): text is string {
  return text !== undefined && /^[1-9]\d*$/.test(text);
}
