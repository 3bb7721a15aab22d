/** The API's error responses, with the messages of a kube-apiserver (compared with 1.35), for the store and the server. */

/** The names of a kind in error messages, from its definition. */
export interface KindNames {
  readonly group: string;
  readonly kind: string;
  readonly plural: string;
}

export interface StatusCause {
  readonly reason: string;
  readonly message: string;
  readonly field: string;
}

export interface StatusDetails {
  readonly name?: string;
  readonly group?: string;
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly StatusCause[];
  readonly retryAfterSeconds?: number;
}

/** An error response: the content of a v1 Status. */
export class StatusError extends Error {
  readonly code: number;
  readonly reason: string;
  readonly details: StatusDetails | undefined;

  constructor(code: number, reason: string, message: string, details?: StatusDetails) {
    super(message);
    this.name = 'StatusError';
    this.code = code;
    this.reason = reason;
    this.details = details;
  }

  /** The v1 Status object, its fields in the API server's order; an unknown reason is omitted, as there. */
  toStatus(): object {
    return {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: this.message,
      ...(this.reason !== '' && { reason: this.reason }),
      ...(this.details && { details: this.details }),
      code: this.code,
    };
  }
}

/** "deployments.apps", or "pods" of the core. */
export function qualified(name: string, group: string): string {
  return group === '' ? name : `${name}.${group}`;
}

export function detailsOf(name: string, group: string, kind: string): StatusDetails {
  return { ...(name !== '' && { name }), ...(group !== '' && { group }), kind };
}

export function notFound({ group, plural }: KindNames, name: string): StatusError {
  const details = detailsOf(name, group, plural);
  return new StatusError(404, 'NotFound', `${qualified(plural, group)} "${name}" not found`, details);
}

/** For a path without a kind. */
export function nothingServedHere(): StatusError {
  return new StatusError(404, 'NotFound', 'the server could not find the requested resource', {});
}

export function alreadyExists({ group, plural }: KindNames, name: string): StatusError {
  const details = detailsOf(name, group, plural);
  return new StatusError(409, 'AlreadyExists', `${qualified(plural, group)} "${name}" already exists`, details);
}

const MODIFIED = 'the object has been modified; please apply your changes to the latest version and try again';

/** By default: the resourceVersion of the request is outdated. */
export function modified({ group, plural }: KindNames, name: string, why = MODIFIED): StatusError {
  const message = `Operation cannot be fulfilled on ${qualified(plural, group)} "${name}": ${why}`;
  return new StatusError(409, 'Conflict', message, detailsOf(name, group, plural));
}

/** A delete's precondition failed. The API server uses the kind here, not the plural. */
export function preconditionFailed({ group, kind }: KindNames, name: string, why: string): StatusError {
  return modified({ group, kind, plural: kind }, name, why);
}

/** 422 that names every invalid field. */
export function invalid({ group, kind }: KindNames, name: string, causes: readonly StatusCause[]): StatusError {
  const each = causes.map(({ field, message }) => `${field}: ${message}`);
  const all = each.length === 1 ? (each[0] ?? '') : `[${each.join(', ')}]`;
  return new StatusError(422, 'Invalid', `${qualified(kind, group)} "${name}" is invalid: ${all}`, {
    ...detailsOf(name, group, kind),
    causes,
  });
}

export function badRequest(message: string): StatusError {
  return new StatusError(400, 'BadRequest', message);
}

/** An unsupported body or media type. */
export function unsupportedMediaType(accepted: readonly string[]): StatusError {
  return new StatusError(
    415,
    'UnsupportedMediaType',
    `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`,
  );
}

export function expired(message: string): StatusError {
  return new StatusError(410, 'Expired', message);
}

export function tooLarge(limit: number): StatusError {
  return new StatusError(413, 'RequestEntityTooLarge', `Request entity too large: limit is ${limit}`);
}

export function asStatusError(error: unknown): StatusError {
  if (error instanceof StatusError) return error;
  const message = error instanceof Error ? error.message : 'something that is not an Error was thrown';
  return new StatusError(500, 'InternalError', `Internal error occurred: ${message}`, {
    causes: [{ reason: '', message, field: '' }],
  });
}
