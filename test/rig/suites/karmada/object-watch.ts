/** A watch of a collection of one API server that must not miss an event: it does not reconnect, and reports how it ended. */
import { connectionFromKubeconfig } from '../../../../shared/kubernetes/client/kubeconfig.ts';
import { createTransport, type Transport } from '../../../../shared/kubernetes/client/transport.ts';

export interface WatchEvent<T> {
  readonly type: string;
  readonly object: T;
}

export class ObjectWatch {
  readonly #transport: Transport;
  readonly #ending = new AbortController();
  #end: Promise<Error | undefined> = Promise.resolve(undefined);

  private constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** `note` gets the existing objects first, then each change. */
  static async of<T>(kubeconfig: string, path: string, note: (event: WatchEvent<T>) => void): Promise<ObjectWatch> {
    const connection = await connectionFromKubeconfig(kubeconfig);
    const watch = new ObjectWatch(createTransport(connection, { maxSockets: 1, timeoutMs: 10_000 }));
    // Without a resourceVersion: the existing objects come first.
    const { status, text } = await watch.#transport.stream(
      { method: 'GET', path: `${path}${path.includes('?') ? '&' : '?'}watch=true` },
      { signal: watch.#ending.signal, silentMs: 600_000 },
    );
    if (status !== 200) throw new Error(`the watch of ${path} is answered ${status}`);
    watch.#end = watch.#read(path, text, note);
    return watch;
  }

  /** The error that ended the watch early, after which changes may be missing. */
  async close(): Promise<Error | undefined> {
    this.#ending.abort();
    const end = await this.#end;
    this.#transport.close();
    return end;
  }

  async #read<T>(
    path: string,
    text: AsyncIterable<string>,
    note: (event: WatchEvent<T>) => void,
  ): Promise<Error | undefined> {
    let rest = '';
    try {
      for await (const part of text) {
        const lines = (rest + part).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) note(JSON.parse(line) as WatchEvent<T>);
      }
    } catch (thrown) {
      if (this.#ending.signal.aborted) return undefined;
      return new Error(`the watch of ${path} broke`, { cause: thrown });
    }
    return new Error(`the watch of ${path} ended`);
  }
}
