/** The interface of the clients in the transport benchmark, and their shared code: addresses, the patch, paging. */
import type { Connection } from '../../shared/adapters/kubernetes/connection.ts';

/** The location of the bindings. The parent reads the connection, so that Evenkeel's clients load no kubeconfig library, as in a function. */
export interface Target {
  readonly kubeconfig: string;
  readonly connection: Connection;
  readonly namespace: string;
}

/** Its connections end with its process. */
export interface BenchClient {
  /** Writes spec.rescheduleTriggeredAt by a merge patch and reads the answer; throws unless it is a success. */
  patch(name: string, triggeredAt: string): Promise<void>;
  /** Reads the named bindings by pages of 500 and returns their number. */
  list(names: readonly string[]): Promise<number>;
}

export type OpenClient = (target: Target, inFlight: number) => BenchClient;

export const GROUP = 'work.karmada.io';
export const VERSION = 'v1alpha2';
export const PLURAL = 'resourcebindings';
export const PAGE_SIZE = 500;
export const MERGE_PATCH = 'application/merge-patch+json';

export function bindingPath(namespace: string, name?: string): string {
  const collection = `/apis/${GROUP}/${VERSION}/namespaces/${namespace}/${PLURAL}`;
  return name === undefined ? collection : `${collection}/${name}`;
}

export function trigger(triggeredAt: string): object {
  return { spec: { rescheduleTriggeredAt: triggeredAt } };
}

/** The part of a list's response that paging needs. */
export interface Page {
  readonly items: readonly unknown[];
  readonly metadata: { readonly continue?: string };
}

/** Follows `continue` to the last page. */
export async function countPages(page: (token: string) => Promise<Page>): Promise<number> {
  let count = 0;
  let token = '';
  do {
    const { items, metadata } = await page(token);
    count += items.length;
    token = metadata.continue ?? '';
  } while (token !== '');
  return count;
}

export function pageQuery(token: string): string {
  return `?limit=${PAGE_SIZE}${token === '' ? '' : `&continue=${encodeURIComponent(token)}`}`;
}
