/** One request as an audit.k8s.io/v1 Event of level Metadata, as a real hub's audit webhook would get it. */
import type { Instant } from '../../../shared/core/time.ts';
import { isFields } from '../store/structural-schema.ts';
import type { Target } from './request.ts';

/** A completed request. */
export interface CompletedRequest {
  readonly target: Target;
  readonly uri: string;
  readonly username: string;
  readonly userAgent: string;
  /** The request body, for the name of a created object. */
  readonly body: unknown;
  readonly code: number;
  readonly failure?: object;
  readonly receivedAt: Instant;
  readonly answeredAt: Instant;
}

export interface WrittenAuditEvent {
  readonly auditID: string;
  readonly verb: string;
  readonly [field: string]: unknown;
}

export function auditEvent(answered: CompletedRequest, auditID: string): WrittenAuditEvent {
  const { target, uri, username, userAgent, code, failure, receivedAt, answeredAt } = answered;
  return {
    level: 'Metadata',
    auditID,
    stage: 'ResponseComplete',
    requestURI: uri,
    verb: target.verb,
    user: { username, groups: ['system:authenticated'] },
    sourceIPs: ['127.0.0.1'],
    userAgent,
    objectRef: objectRef(answered),
    responseStatus: failure ?? { metadata: {}, code },
    requestReceivedTimestamp: microTime(receivedAt),
    stageTimestamp: microTime(answeredAt),
  };
}

/** The name in the body of a create; a body with only a generateName has no name here, as upstream. */
function objectRef({ target, body }: CompletedRequest): object {
  const { kind, key, subresource } = target;
  const metadata = isFields(body) && isFields(body.metadata) ? body.metadata : {};
  const name = key.name || (typeof metadata.name === 'string' ? metadata.name : '');
  return {
    resource: kind.plural,
    ...(key.namespace !== '' && { namespace: key.namespace }),
    ...(name !== '' && { name }),
    ...(kind.group !== '' && { apiGroup: kind.group }),
    apiVersion: kind.version,
    ...(subresource !== undefined && { subresource }),
  };
}

/** metav1.MicroTime; this clock has milliseconds. */
function microTime(instant: Instant): string {
  return new Date(instant).toISOString().replace('Z', '000Z');
}
