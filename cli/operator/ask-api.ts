/** Sends questions over HTTP to a local run, or to the console of a deployment. */

import { type ErrorResponse, faultOf } from '../../shared/console-api/error-response.ts';
import { methodOf, type Operation } from '../../shared/console-api/operation.ts';
import { type Ask, operations } from '../../shared/console-api/operations.ts';
import { Fault } from '../../shared/core/fault.ts';

const TIMEOUT_MS = 60_000;
/** Limit on the response, since any server may be at the address. */
const MOST_BYTES = 64 * 1024 * 1024;

/** `url`: the address of the page. */
export function askApi(url: string): Ask {
  const root = new URL('/api', url).href;
  return async (name, input) => {
    const operation: Operation = operations[name];
    const given = { ...(input as Readonly<Record<string, unknown>>) };
    const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, field: string) => {
      const value = textOf(given[field]);
      delete given[field];
      return encodeURIComponent(value);
    });
    const response = await fetch(addressOf(`${root}${path}`, operation, given), {
      ...requestOf(operation, given),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).catch((thrown: unknown) => {
      throw new Fault('retryable', `no response from ${url}; check that the local run is up (evenkeel start)`, {
        reason: 'NotReached',
        cause: thrown,
      });
    });
    const body = await jsonOf(response);
    if (response.ok && body !== undefined) return body as never;
    if (isRejected(body)) throw faultOf(body);
    throw new Fault(
      'terminal',
      `${url} returned ${response.status} without a response of Evenkeel; check the address`,
      {
        reason: 'NotEvenkeel',
      },
    );
  };
}

function addressOf(address: string, operation: Operation, given: Readonly<Record<string, unknown>>): string {
  if (methodOf(operation) === 'POST') return address;
  const query = Object.entries(given).flatMap(([field, value]) =>
    value === undefined ? [] : [[field, textOf(value)] as [string, string]],
  );
  return query.length === 0 ? address : `${address}?${new URLSearchParams(query).toString()}`;
}

function requestOf(operation: Operation, given: object): RequestInit {
  if (methodOf(operation) === 'GET') return {};
  return { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(given) };
}

/** Undefined if it is not JSON, or larger than any valid response. */
async function jsonOf(response: Response): Promise<unknown> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const part of (response.body ?? []) as AsyncIterable<Uint8Array>) {
      bytes += part.byteLength;
      if (bytes > MOST_BYTES) return undefined;
      parts.push(part);
    }
    return JSON.parse(Buffer.concat(parts).toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
}

function isRejected(body: unknown): body is ErrorResponse {
  return typeof body === 'object' && body !== null && 'error' in body && 'reason' in body;
}

/** Paths and queries contain only texts and numbers. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
