/** Every version of a namespace's bindings, in the order of the API server: what a scheduler did first is seen, though it may act twice. */
import { connectionFromKubeconfig } from '../../../../../shared/adapters/kubernetes/kubeconfig.ts';
import { createTransport, type Transport } from '../../../../../shared/adapters/kubernetes/transport.ts';

export interface Version {
  readonly metadata: {
    readonly name: string;
    readonly generation: number;
    readonly resourceVersion: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec: { readonly clusters?: readonly { readonly name: string; readonly replicas?: number }[] };
  readonly status?: {
    readonly schedulerObservedGeneration?: number;
    readonly lastScheduledTime?: string;
    readonly schedulerObservingAffinityName?: string;
    readonly conditions?: readonly { readonly type: string; readonly reason: string; readonly message: string }[];
  };
}

export class Versions {
  readonly #byName = new Map<string, Version[]>();
  readonly #ending = new AbortController();
  readonly #transport: Transport;
  #ended: Promise<void> = Promise.resolve();

  private constructor(transport: Transport) {
    this.#transport = transport;
  }

  static async of(kubeconfig: string, path: string): Promise<Versions> {
    const connection = await connectionFromKubeconfig(kubeconfig);
    const versions = new Versions(createTransport(connection, { maxSockets: 1, timeoutMs: 10_000 }));
    const { status, text } = await versions.#transport.stream(
      { method: 'GET', path: `${path}?watch=true` },
      { signal: versions.#ending.signal, silentMs: 300_000 },
    );
    if (status !== 200) throw new Error(`the watch of ${path} is answered ${status}`);
    versions.#ended = versions.#read(text);
    return versions;
  }

  /** In order, the oldest first. */
  of(name: string): readonly Version[] {
    return this.#byName.get(name) ?? [];
  }

  async close(): Promise<void> {
    this.#ending.abort();
    await this.#ended;
    this.#transport.close();
  }

  async #read(text: AsyncIterable<string>): Promise<void> {
    let rest = '';
    try {
      for await (const part of text) {
        const lines = (rest + part).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) this.#keep((JSON.parse(line) as { object: Version }).object);
      }
    } catch (thrown) {
      if (!this.#ending.signal.aborted) throw thrown;
    }
  }

  #keep(version: Version): void {
    const { name } = version.metadata;
    this.#byName.set(name, [...(this.#byName.get(name) ?? []), version]);
  }
}
