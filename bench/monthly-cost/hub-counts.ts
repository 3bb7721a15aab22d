/** The billed units of a deployment with its hubs, counted while the functions run. */
import { z } from 'zod';
import { type EvenkeelEvent, SOURCE } from '../../shared/bus/event.ts';
import { Counter, countsSchema } from '../function-cost/counts.ts';

export const hubCountsSchema = countsSchema.extend({
  /** GetSecretValue of a hub's connection; each is a request to the key too. */
  secretReads: z.number(),
  /** Of the events, in the archive. */
  eventBytes: z.number(),
  /** Received by SQS with a message group: each message sent, each batch received and deleted. */
  groupedRequests: z.number(),
  /** From the functions to the hub, with HTTP headers and without TLS; and back, with the bodies of audit batches. */
  bytesToHub: z.number(),
  bytesFromHub: z.number(),
  /** Names of metrics with a hub as a dimension: each is a metric for CloudWatch. */
  hubMetrics: z.array(z.string()),
});

export type HubCounts = z.infer<typeof hubCountsSchema>;

const ID = '8f5c1b7e-1c1a-4d6f-9b1c-2f2b7a1d5e3c';
/** What Lambda itself logs for an invocation, in its text format. */
const PLATFORM_LINES = `START RequestId: ${ID} Version: $LATEST
END RequestId: ${ID}
REPORT RequestId: ${ID}\tDuration: 123.45 ms\tBilled Duration: 124 ms\tMemory Size: 1024 MB\tMax Memory Used: 128 MB\t
`;
/** The access log of the HTTP API for a request (infra/constructs/hook-api.ts). */
const ACCESS_LINE = JSON.stringify({
  ...{ requestId: 'AbCdEfGhIAMEPJw=', time: '24/Nov/2026:12:00:00 +0000', ip: '203.0.113.100', subject: '-' },
  route: `POST /${ID}/hubs/{hub}/audit`,
  ...{ status: '200', bytes: '100', integrationMs: '40', error: '-' },
});

export class HubCounter extends Counter {
  secretReads = 0;
  eventBytes = 0;
  groupedRequests = 0;
  bytesToHub = 0;
  bytesFromHub = 0;
  readonly #hubMetrics = new Set<string>();

  countEvents(events: readonly EvenkeelEvent[]): void {
    this.events += events.length;
    for (const event of events) this.eventBytes += envelopeBytes(event);
  }

  countMetric(name: string, dimensions: Readonly<Record<string, string>>): void {
    if (dimensions.hub !== undefined) this.#hubMetrics.add(name);
  }

  /** An invocation, with what is logged about it besides its own lines. */
  invoked<T>(name: string, act: () => Promise<T>): Promise<T> {
    this.logBytes += PLATFORM_LINES.length;
    return this.timed(name, act);
  }

  countHookRequest(body: string): void {
    this.hookRequests += 1;
    this.bytesFromHub += Buffer.byteLength(body);
    this.logBytes += ACCESS_LINE.length;
  }

  /** The counts since the last call. */
  take(): HubCounts {
    const counts = hubCountsSchema.parse({ ...this.counts(), hubMetrics: [...this.#hubMetrics].sort() });
    this.invocations.clear();
    this.#hubMetrics.clear();
    for (const [name, value] of Object.entries(this)) if (typeof value === 'number') Object.assign(this, { [name]: 0 });
    return counts;
  }
}

function envelopeBytes({ type, detail }: EvenkeelEvent): number {
  const envelope = {
    ...{ version: '0', id: ID, 'detail-type': type, source: SOURCE, account: '000000000000' },
    ...{ time: '2026-11-24T12:00:00Z', region: 'us-east-1', resources: [], detail },
  };
  return JSON.stringify(envelope).length;
}
