/** The hub that is checked. Returns raw responses, since an error response is a result of the check. */
import { errorStatusFault } from '../../shared/kubernetes/client/error-status.ts';
import { connectionFromKubeconfig } from '../../shared/kubernetes/client/kubeconfig.ts';
import { type ApiResponse, createTransport, type Transport } from '../../shared/kubernetes/client/transport.ts';
import type { Resource } from '../../shared/kubernetes/resource.ts';

/** Concurrent requests; they are many and small. */
const LIMITS = { maxSockets: 12, timeoutMs: 15_000 };

export interface CheckedHub {
  readonly server: string;
  /** `kubectl` with the flags of this hub, for the commands that are printed. */
  readonly kubectl: string;
  get(path: string): Promise<ApiResponse>;
  /** The status of the posted review. Throws a Fault if the hub does not serve the review. */
  review<T>(groupVersion: string, kind: string, spec: object): Promise<T>;
  /** Whether the hub serves the kind; one request per group version. */
  serves(kind: Pick<Resource<unknown>, 'group' | 'version' | 'plural'>): Promise<boolean>;
  close(): void;
}

interface KubeconfigPlace {
  readonly kubeconfig: string;
  readonly context?: string;
}

export async function openCheckedHub(
  { kubeconfig, context }: KubeconfigPlace,
  named: readonly string[],
): Promise<CheckedHub> {
  const connection = await connectionFromKubeconfig(kubeconfig, context);
  const transport = createTransport(connection, LIMITS);
  const documents = new Map<string, Promise<readonly string[]>>();
  return {
    server: connection.server,
    kubectl: ['kubectl', ...named].join(' '),
    get: (path) => transport.send({ method: 'GET', path }),
    review: (groupVersion, kind, spec) => review(transport, { groupVersion, kind }, spec),
    async serves({ group, version, plural }) {
      const path = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
      const asked = documents.get(path) ?? namesAt(transport, path);
      documents.set(path, asked);
      return (await asked).includes(plural);
    },
    close: () => transport.close(),
  };
}

interface ReviewKind {
  readonly groupVersion: string;
  readonly kind: string;
}

async function review<T>(transport: Transport, { groupVersion, kind }: ReviewKind, spec: object): Promise<T> {
  const path = `/apis/${groupVersion}/${kind.toLowerCase()}s`;
  const body = { apiVersion: groupVersion, kind, spec };
  const response = await transport.send({ method: 'POST', path, body });
  if (response.status >= 300) throw errorStatusFault('the hub', response, `a ${kind}`);
  return (response.body as { readonly status: T }).status;
}

async function namesAt(transport: Transport, path: string): Promise<readonly string[]> {
  const response = await transport.send({ method: 'GET', path });
  if (response.status === 404) return [];
  if (response.status >= 300) throw errorStatusFault('the hub', response, `get ${path}`);
  const { resources } = response.body as { resources?: readonly { name: string }[] };
  return (resources ?? []).map(({ name }) => name);
}
