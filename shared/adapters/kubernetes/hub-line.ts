/** The way to one API server that everything of it shares: its pace, its credential, and the patience it asks for. */
import type { Pacer } from './pacing.ts';
import { isLimited } from './refusal.ts';
import type { ApiRequest, ApiResponse, Transport } from './transport.ts';

/** Times a limited request is sent again here, where the hub asks for no more than MAX_PAUSE_MS; after that the message waits in its queue. */
const ATTEMPTS = 3;
const MAX_PAUSE_MS = 5000;

export interface Line {
  send(request: ApiRequest): Promise<ApiResponse>;
  /** To what the API server passes on under this path. */
  behind(path: string): Line;
}

export interface LineParts {
  readonly transport: Transport;
  readonly pacer: Pacer;
  /** The way in with its credential read anew, after the hub refused the one that was used (401). */
  readonly renew?: (() => Promise<Transport>) | undefined;
}

export class HubLine implements Line {
  #transport: Transport;
  readonly #pacer: Pacer;
  readonly #renew: (() => Promise<Transport>) | undefined;
  #renewing: Promise<Transport> | undefined;

  constructor({ transport, pacer, renew }: LineParts) {
    this.#transport = transport;
    this.#pacer = pacer;
    this.#renew = renew;
  }

  async send(request: ApiRequest): Promise<ApiResponse> {
    for (let attempt = 1; ; attempt++) {
      const response = await this.#sendKnown(request, judge);
      const again = isLimited(response) && attempt < ATTEMPTS && (response.retryAfterMs ?? 0) <= MAX_PAUSE_MS;
      if (!again) return response;
    }
  }

  /** A member that is away (503) is no reason to go easy on the hub, and none to ask again at once. */
  behind(path: string): Line {
    const passing = (response: ApiResponse) => (response.status === 429 ? judge(response) : { limited: false });
    return {
      send: (request) => this.#sendKnown({ ...request, path: `${path}${request.path}` }, passing),
      behind: (further) => this.behind(`${path}${further}`),
    };
  }

  /** A credential that was renewed or replaced elsewhere is read again once, and the request is sent again once. */
  async #sendKnown(request: ApiRequest, judged: typeof judge): Promise<ApiResponse> {
    const used = this.#transport;
    const response = await this.#pacer.run(() => used.send(request), judged);
    if (response.status !== 401 || this.#renew === undefined) return response;
    await this.#replace(used, this.#renew);
    return this.#pacer.run(() => this.#transport.send(request), judged);
  }

  /** Sixteen requests that are refused at once renew once. */
  async #replace(used: Transport, renew: () => Promise<Transport>): Promise<void> {
    if (this.#transport !== used) return;
    this.#renewing ??= renew().finally(() => {
      this.#renewing = undefined;
    });
    this.#transport = await this.#renewing;
  }
}

function judge(response: ApiResponse): { limited: boolean; retryAfterMs?: number } {
  if (!isLimited(response)) return { limited: false };
  return { limited: true, retryAfterMs: Math.min(response.retryAfterMs ?? 1000, MAX_PAUSE_MS) };
}
