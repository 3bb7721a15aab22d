/** Starts the practice hub's API: store, journal, HTTP server and audit log. For `npm start` and tests. */
import { randomUUID } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { stringify } from 'yaml';
import type { Instant } from '../../shared/core/time.ts';
import { AuditLog, type AuditOptions } from './api/audit.ts';
import { auditedStore } from './api/audited-store.ts';
import { apiHandler } from './api/server.ts';
import { openChangeLog } from './store/change-log.ts';
import { type ApiStore, createObjectStore } from './store/object-store.ts';
import type { ObjectStore } from './store/objects.ts';

export interface HubServerOptions {
  /** 0: any free port. */
  readonly port: number;
  /** The folder of the objects, for restarts; without one they are only in memory. */
  readonly dataDir?: string;
  readonly audit?: AuditOptions;
  /** Whether the audit log has all writes of bindings by controllers; otherwise those that Evenkeel waits for. */
  readonly recordsHistory?: boolean;
  readonly now?: () => Instant;
  /** A bearer token that every request must have, or one of `users`; its user is kubernetes-admin. */
  readonly token?: string;
  /** User names of other bearer tokens: token → user name. */
  readonly users?: Readonly<Record<string, string>>;
}

export interface HubServer {
  readonly url: string;
  readonly store: ApiStore;
  /** The store for the hub's own controllers, whose writes are audited too. */
  readonly controllersStore: ObjectStore;
  /** Delivers the audit events recorded so far. */
  flushAudit(): Promise<void>;
  /** Stops answering for some time, as a control plane that is down. */
  fail(failure: HubFailure): void;
  recover(): void;
  /** A kubeconfig for kubectl, as YAML. */
  kubeconfig(): string;
  /** Returns the same promise on each call. */
  close(): Promise<void>;
}

export interface HubFailure {
  readonly ms: number;
  /** Requests get no response; otherwise their connections are closed. */
  readonly hangs: boolean;
}

/** Throws errors of listen (EADDRINUSE) unchanged, before the data directory is opened: another hub may be using it. */
export async function startHubServer(options: HubServerOptions): Promise<HubServer> {
  const now = options.now ?? Date.now;
  const server = http.createServer({ keepAliveTimeout: 75_000 });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(options.port, '127.0.0.1', resolve);
  });
  // No request is read before the handler is set: nothing is awaited from here to server.on.
  try {
    const changeLog = options.dataDir === undefined ? undefined : openChangeLog(options.dataDir);
    const store = createObjectStore({ now, newUid: randomUUID, ...(changeLog && { changeLog }) });
    const audit = options.audit && new AuditLog(options.audit);
    const users = new Map(Object.entries(options.users ?? {}));
    if (options.token !== undefined) users.set(options.token, 'kubernetes-admin');
    const requireToken = options.token !== undefined;
    const handle = apiHandler({ store, now, users, requireToken, ...(audit && { audit }) });
    let failure: HubFailure | undefined;
    let ending: NodeJS.Timeout | undefined;
    const recover = () => {
      clearTimeout(ending);
      failure = undefined;
    };
    server.on('request', (request, response) => {
      if (failure === undefined) handle(request, response);
      else if (!failure.hangs) request.socket.destroy();
    });
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    let closing: Promise<void> | undefined;
    const end = async () => {
      await stop(server);
      await audit?.close();
      changeLog?.close();
    };
    return {
      url,
      store,
      controllersStore:
        audit === undefined
          ? store
          : auditedStore({ store, audit, now, newId: randomUUID, recordsHistory: options.recordsHistory ?? false }),
      flushAudit: async () => audit?.flush(),
      kubeconfig: () => kubeconfigText(url, options.token),
      fail: (next) => {
        recover();
        failure = next;
        ending = setTimeout(recover, next.ms).unref();
        if (!next.hangs) server.closeAllConnections();
      },
      recover,
      close: () => (closing ??= end()),
    };
  } catch (error) {
    await stop(server);
    throw error;
  }
}

function stop(server: http.Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

/** For kubectl, as YAML. */
export function kubeconfigText(url: string, token: string | undefined): string {
  const name = 'evenkeel-practice';
  return stringify({
    apiVersion: 'v1',
    kind: 'Config',
    // The official JavaScript client rejects plain HTTP without this, even on loopback; kubectl ignores it.
    clusters: [{ name, cluster: { server: url, 'insecure-skip-tls-verify': true } }],
    users: [{ name, user: token === undefined ? {} : { token } }],
    contexts: [{ name, context: { cluster: name, user: name, namespace: 'default' } }],
    'current-context': name,
  });
}
