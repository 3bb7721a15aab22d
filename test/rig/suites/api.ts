/** A client of one API server with the administrator's credentials: JSON over persistent connections. It retries while the API server starts. */
import { setTimeout as wait } from 'node:timers/promises';
import { connectionFromKubeconfig } from '../../../shared/kubernetes/client/kubeconfig.ts';
import {
  type ApiRequest,
  type ApiResponse,
  createTransport,
  type Transport,
} from '../../../shared/kubernetes/client/transport.ts';

const IN_FLIGHT = 16;
const ATTEMPTS = 10;
const RETRY_DELAY_MS = 1000;

export interface Meta {
  readonly name: string;
  readonly uid: string;
  readonly generation?: number;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly creationTimestamp: string;
  readonly deletionTimestamp?: string;
}

export class Api {
  readonly #transport: Transport;

  protected constructor(transport: Transport) {
    this.#transport = transport;
  }

  static async of(kubeconfig: string): Promise<Api> {
    return new Api(await transportTo(kubeconfig));
  }

  /** Resolves with any response, also with an error. */
  send(request: ApiRequest): Promise<ApiResponse> {
    return this.#transport.send(request);
  }

  async get<T>(path: string): Promise<T> {
    return (await this.#done({ method: 'GET', path })) as T;
  }

  async list<T>(path: string): Promise<readonly T[]> {
    return (await this.get<{ items: readonly T[] }>(path)).items;
  }

  async create<T>(path: string, body: object): Promise<T> {
    return (await this.#done({ method: 'POST', path, body })) as T;
  }

  async merge<T>(path: string, body: object): Promise<T> {
    return (await this.#done({ method: 'PATCH', path, body, contentType: 'application/merge-patch+json' })) as T;
  }

  /** One object, or all of a collection's path. */
  async delete(path: string): Promise<void> {
    await this.#done({ method: 'DELETE', path, body: { propagationPolicy: 'Background' } });
  }

  close(): void {
    this.#transport.close();
  }

  /** Undefined for a read to repeat: a suspended API server closes the idle connections of its clients when it goes on. */
  async #answered(request: ApiRequest, attempt: number): Promise<ApiResponse | undefined> {
    try {
      return await this.send(request);
    } catch (thrown) {
      if (request.method !== 'GET' || attempt >= ATTEMPTS) throw thrown;
      return undefined;
    }
  }

  async #done(request: ApiRequest): Promise<unknown> {
    for (let attempt = 1; ; attempt++) {
      const answer = await this.#answered(request, attempt);
      if (answer === undefined) continue;
      const { status, body } = answer;
      if (status < 300) return body;
      // An API server that has just started answers 429 until its caches are filled.
      if (status !== 429 || attempt >= ATTEMPTS) {
        const { message } = body as { message?: string };
        throw new Error(`${request.method} ${request.path} is answered ${status}: ${message ?? ''}`);
      }
      await wait(RETRY_DELAY_MS);
    }
  }
}

export async function transportTo(kubeconfig: string): Promise<Transport> {
  return createTransport(await connectionFromKubeconfig(kubeconfig), { maxSockets: IN_FLIGHT, timeoutMs: 30_000 });
}

/** Runs as many at once as there are connections. */
export async function inFlight<T>(items: readonly T[], act: (item: T) => Promise<unknown>): Promise<void> {
  const rest = items.values();
  const work = async () => {
    for (const item of rest) await act(item);
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, work));
}
