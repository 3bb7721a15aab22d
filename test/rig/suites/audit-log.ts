/** The requests of our account in the API server's audit log: what it changed, how often, and which requests were denied. */
import { ACCOUNT, type Hub } from '../parts/hub.ts';
import { readJsonLines } from './json-lines.ts';

export interface AuditedRequest {
  readonly verb: string;
  readonly user: { readonly username: string };
  readonly objectRef?: {
    readonly resource?: string;
    readonly namespace?: string;
    readonly name?: string;
    readonly subresource?: string;
  };
  readonly responseStatus?: { readonly code: number };
  readonly annotations?: Readonly<Record<string, string>>;
  readonly userAgent?: string;
  /** By the API server's clock, as is `stageTimestamp`. */
  readonly requestReceivedTimestamp: string;
  readonly stageTimestamp: string;
}

/** In the order of their responses. */
export function ourRequests(hub: Hub): readonly AuditedRequest[] {
  return requests(hub).filter(isOurs);
}

/** The time from the response to a rebalancer's creation to our first request about it, by the API server's clock. */
export function msUntilOurFirstRequest(hub: Hub, rebalancer: string): number {
  const named = requests(hub).filter(
    ({ objectRef }) => objectRef?.resource === 'workloadrebalancers' && objectRef.name === rebalancer,
  );
  const created = named.find(({ verb }) => verb === 'create')?.stageTimestamp;
  const requested = named.find(isOurs)?.requestReceivedTimestamp;
  return Date.parse(requested ?? '') - Date.parse(created ?? '');
}

function requests({ auditLog }: Hub): readonly AuditedRequest[] {
  return readJsonLines(auditLog);
}

function isOurs({ user }: AuditedRequest): boolean {
  return user.username === ACCOUNT;
}

export function isDenied({ annotations }: AuditedRequest): boolean {
  return annotations?.['authorization.k8s.io/decision'] !== 'allow';
}

/** How often each binding of a namespace was patched, by its name. */
export function patchesOf(hub: Hub, namespace: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { verb, objectRef, responseStatus } of ourRequests(hub)) {
    const { resource, namespace: where, name } = objectRef ?? {};
    if (verb !== 'patch' || resource !== 'resourcebindings' || where !== namespace || responseStatus?.code !== 200)
      continue;
    counts.set(name ?? '', (counts.get(name ?? '') ?? 0) + 1);
  }
  return counts;
}
