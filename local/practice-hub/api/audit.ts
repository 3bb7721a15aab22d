/**
 * Audit events (audit.k8s.io/v1, level Metadata), sent to a webhook in batches, as by an API server in batch mode:
 * asynchronously, and lossy when the webhook is down.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Instant } from '../../../shared/core/time.ts';
import { isFields } from '../store/structural-schema.ts';
import type { Target } from './request.ts';

export interface AuditOptions {
  readonly url: string;
  readonly token: string;
  /** Includes get, list and watch. */
  readonly reads?: boolean;
  readonly maxBatch?: number;
  readonly maxWaitMs?: number;
  readonly firstRetryMs?: number;
  /** Called with the number of dropped events, and the reason. */
  readonly onDrop?: (count: number, why: string) => void;
}

const ATTEMPTS = 5;
const BUFFER = 10_000;
const TIMEOUT_MS = 10_000;

export class AuditLog {
  readonly #options: AuditOptions;
  readonly #maxBatch: number;
  #waiting: WrittenAuditEvent[] = [];
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<void> | undefined;
  #closed = false;

  constructor(options: AuditOptions) {
    this.#options = options;
    this.#maxBatch = options.maxBatch ?? 100;
  }

  record(event: WrittenAuditEvent): void {
    if (['get', 'list', 'watch'].includes(event.verb) && !this.#options.reads) return;
    if (this.#closed || this.#waiting.length >= BUFFER) {
      this.#options.onDrop?.(1, this.#closed ? 'the hub is closed' : `${BUFFER} events wait already`);
      return;
    }
    this.#waiting.push(event);
    if (this.#waiting.length >= this.#maxBatch) void this.flush();
    else this.#timer ??= setTimeout(() => void this.flush(), this.#options.maxWaitMs ?? 200);
  }

  /** Resolves when all recorded events are delivered or dropped. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = undefined;
    });
    await this.#sending;
  }

  /** Delivers the remaining events, with one attempt per batch, and accepts no more. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.flush();
  }

  async #sendAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, this.#maxBatch);
      const failure = await this.#send(batch);
      if (failure !== undefined) this.#options.onDrop?.(batch.length, failure);
    }
  }

  /** Undefined if the batch was delivered, else the error. */
  async #send(items: readonly WrittenAuditEvent[]): Promise<string | undefined> {
    const body = JSON.stringify({ kind: 'EventList', apiVersion: 'audit.k8s.io/v1', metadata: {}, items });
    let failure = '';
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const outcome = await this.#post(body);
      if (outcome === undefined) return undefined;
      failure = outcome;
      if (this.#closed) break;
      if (attempt < ATTEMPTS) await delay((this.#options.firstRetryMs ?? 100) * 2 ** (attempt - 1));
    }
    return failure;
  }

  async #post(body: string): Promise<string | undefined> {
    const { url, token } = this.#options;
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        body,
        signal: AbortSignal.timeout(this.#closed ? 1000 : TIMEOUT_MS),
      });
      await response.arrayBuffer();
      return response.ok ? undefined : `the audit webhook answered ${response.status}`;
    } catch (error) {
      return `the audit webhook could not be reached: ${error instanceof Error ? error.message : String(error)}`;
    }
  }
}

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
