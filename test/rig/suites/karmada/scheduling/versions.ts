/** Every version of a namespace's bindings, in the order of the API server, so that the first result of a scheduler is found even if it acts twice. */
import { connectionFromKubeconfig } from '../../../../../shared/kubernetes/client/kubeconfig.ts';
import { createTransport, type Transport } from '../../../../../shared/kubernetes/client/transport.ts';

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

interface WatchEvent {
  readonly type: string;
  readonly object: Version;
}

/** The API server ends each watch after this time; it may end one earlier, for a slow client or a CRD that it serves again. */
const WATCH_SECONDS = 20;
const QUERY = `watch=true&allowWatchBookmarks=true&timeoutSeconds=${WATCH_SECONDS}`;

/** Resumes from the last version whenever its watch ends. */
export class Versions {
  readonly #byName = new Map<string, Version[]>();
  readonly #ending = new AbortController();
  readonly #transport: Transport;
  readonly #path: string;
  #resourceVersion = '';
  #failure: Error | undefined;
  #ended: Promise<void> = Promise.resolve();

  private constructor(transport: Transport, path: string) {
    this.#transport = transport;
    this.#path = path;
  }

  static async of(kubeconfig: string, path: string): Promise<Versions> {
    const connection = await connectionFromKubeconfig(kubeconfig);
    const versions = new Versions(createTransport(connection, { maxSockets: 1, timeoutMs: 10_000 }), path);
    const first = await versions.#open();
    versions.#ended = versions.#follow(first).catch((thrown) => {
      if (!versions.#ending.signal.aborted) versions.#failure = thrown as Error;
    });
    return versions;
  }

  /** Oldest first. Throws if the watch could not be resumed, because later versions would be missing. */
  of(name: string): readonly Version[] {
    if (this.#failure !== undefined) throw new Error(`the watch of ${this.#path} ended`, { cause: this.#failure });
    return this.#byName.get(name) ?? [];
  }

  async close(): Promise<void> {
    this.#ending.abort();
    await this.#ended;
    this.#transport.close();
  }

  async #open(): Promise<AsyncIterable<string>> {
    const from = this.#resourceVersion === '' ? '' : `&resourceVersion=${this.#resourceVersion}`;
    const { status, text } = await this.#transport.stream(
      { method: 'GET', path: `${this.#path}?${QUERY}${from}` },
      { signal: this.#ending.signal, silentMs: 2 * WATCH_SECONDS * 1000 },
    );
    if (status !== 200) throw new Error(`the watch of ${this.#path} has status ${status}`);
    return text;
  }

  async #follow(first: AsyncIterable<string>): Promise<void> {
    await this.#read(first);
    while (!this.#ending.signal.aborted) await this.#read(await this.#open());
  }

  async #read(text: AsyncIterable<string>): Promise<void> {
    let rest = '';
    for await (const part of text) {
      const lines = (rest + part).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) this.#keep(JSON.parse(line) as WatchEvent, line);
    }
  }

  #keep({ type, object }: WatchEvent, line: string): void {
    if (type === 'ERROR') throw new Error(`the watch of ${this.#path} sent ${line}`);
    this.#resourceVersion = object.metadata.resourceVersion;
    if (type === 'BOOKMARK') return;
    const { name } = object.metadata;
    this.#byName.set(name, [...(this.#byName.get(name) ?? []), object]);
  }
}
