/** The API server's own record of what our account asked for: the evidence of what was done, how often, and what was denied. */
import { readFileSync } from 'node:fs';
import { ACCOUNT, type Hub } from '../parts/hub.ts';

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
}

/** In the order in which they were answered. */
export function ourRequests({ auditLog }: Hub): readonly AuditedRequest[] {
  const lines = readFileSync(auditLog, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as AuditedRequest).filter(({ user }) => user.username === ACCOUNT);
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
