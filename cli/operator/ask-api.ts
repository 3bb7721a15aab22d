/** Asks over HTTP: a local run, or the console of a deployment. */
import { Fault } from '../../shared/model/fault.ts';
import { methodOf, type Operation } from '../../shared/operator/operation.ts';
import { type Ask, operations } from '../../shared/operator/operations.ts';
import { faultOf, type Refused } from '../../shared/operator/refused.ts';

const TIMEOUT_MS = 60_000;

/** `url`: where the page is. */
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
      throw new Fault('retryable', `nothing answers at ${url}; is the local run up (evenkeel start)?`, {
        reason: 'NotReached',
        cause: thrown,
      });
    });
    const body: unknown = await response.json().catch(() => undefined);
    if (response.ok && body !== undefined) return body as never;
    if (isRefused(body)) throw faultOf(body);
    throw new Fault('terminal', `${url} answered ${response.status}, not as Evenkeel does; is this its address?`, {
      reason: 'NotEvenkeel',
    });
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

function isRefused(body: unknown): body is Refused {
  return typeof body === 'object' && body !== null && 'error' in body && 'reason' in body;
}

/** What stands in paths and queries are texts and numbers. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
