/** One API server as the administrator uses it: JSON over kept connections, quick enough to watch closely. */
import { connectionFromKubeconfig } from '../../../../shared/adapters/kubernetes/kubeconfig.ts';
import { type ApiRequest, createTransport, type Transport } from '../../../../shared/adapters/kubernetes/transport.ts';

export interface Meta {
  readonly name: string;
  readonly creationTimestamp: string;
  readonly deletionTimestamp?: string;
}

export class Api {
  readonly #transport: Transport;

  private constructor(transport: Transport) {
    this.#transport = transport;
  }

  static async of(kubeconfig: string): Promise<Api> {
    const connection = await connectionFromKubeconfig(kubeconfig);
    return new Api(createTransport(connection, { maxSockets: 8, timeoutMs: 10_000 }));
  }

  async get<T>(path: string): Promise<T> {
    return (await this.#send({ method: 'GET', path })) as T;
  }

  async list<T>(path: string): Promise<readonly T[]> {
    return (await this.get<{ items: readonly T[] }>(path)).items;
  }

  async create<T>(path: string, body: object): Promise<T> {
    return (await this.#send({ method: 'POST', path, body })) as T;
  }

  async merge(path: string, body: object): Promise<void> {
    await this.#send({ method: 'PATCH', path, body, contentType: 'application/merge-patch+json' });
  }

  /** One object, or all of a collection's path. */
  async delete(path: string): Promise<void> {
    await this.#send({ method: 'DELETE', path, body: { propagationPolicy: 'Background' } });
  }

  close(): void {
    this.#transport.close();
  }

  async #send(request: ApiRequest): Promise<unknown> {
    const { status, body } = await this.#transport.send(request);
    if (status >= 300) {
      const { message } = body as { message?: string };
      throw new Error(`${request.method} ${request.path} is answered ${status}: ${message ?? ''}`);
    }
    return body;
  }
}
