/**
 * How many requests may be in flight to a hub: grows by one for each window's worth of prompt answers, halves on 429 or a
 * slow answer, and waits as long as the hub asks. (Additive increase, multiplicative decrease.)
 */
import { Fault } from '../../model/fault.ts';

/** So many requests in a row without a proper answer, and those that wait are given up: their messages come again later. */
const TROUBLES = 5;

export interface PacingOptions {
  readonly max: number;
  /** An answer that takes longer says that the hub is busy. */
  readonly slowMs: number;
  readonly now: () => number;
  readonly wait: (ms: number) => Promise<void>;
  /** Told when the window was cut. */
  readonly onCut?: (window: number) => void;
}

export interface Paced {
  readonly limited: boolean;
  readonly retryAfterMs?: number;
}

export class Pacer {
  readonly #options: PacingOptions;
  #window: number;
  #inFlight = 0;
  #credit = 0;
  #lastCut = Number.NEGATIVE_INFINITY;
  #notBefore = 0;
  #troubles = 0;
  readonly #waiting: { readonly go: () => void; readonly giveUp: (fault: Fault) => void }[] = [];

  constructor(options: PacingOptions) {
    this.#options = options;
    this.#window = options.max;
  }

  get window(): number {
    return this.#window;
  }

  /** Runs `call` when there is room; `judge` says of its answer whether the hub asked for patience. */
  async run<T>(call: () => Promise<T>, judge: (answer: T) => Paced): Promise<T> {
    await this.#room();
    const started = this.#options.now();
    try {
      const answer = await call();
      this.#learn(judge(answer), started);
      return answer;
    } catch (thrown) {
      this.#learn({ limited: true }, started);
      throw thrown;
    } finally {
      this.#inFlight -= 1;
      this.#release();
    }
  }

  async #room(): Promise<void> {
    if (this.#inFlight >= this.#window) await new Promise<void>((go, giveUp) => this.#waiting.push({ go, giveUp }));
    else this.#inFlight += 1;
    const pause = this.#notBefore - this.#options.now();
    if (pause > 0) await this.#options.wait(pause);
  }

  #release(): void {
    while (this.#inFlight < this.#window && this.#waiting.length > 0) {
      this.#inFlight += 1;
      this.#waiting.shift()?.go();
    }
  }

  #learn({ limited, retryAfterMs }: Paced, started: number): void {
    const now = this.#options.now();
    this.#troubles = limited ? this.#troubles + 1 : 0;
    if (this.#troubles >= TROUBLES) this.#giveUpWaiting(retryAfterMs);
    if (limited || now - started > this.#options.slowMs) {
      // Answers to requests sent before the last cut tell of the old window, not of the new one.
      if (started >= this.#lastCut) {
        const before = this.#window;
        this.#window = Math.max(1, Math.floor(before / 2));
        this.#lastCut = now;
        this.#credit = 0;
        if (this.#window < before) this.#options.onCut?.(this.#window);
      }
      this.#notBefore = Math.max(this.#notBefore, now + (retryAfterMs ?? 0));
      return;
    }
    this.#credit += 1;
    if (this.#credit >= this.#window && this.#window < this.#options.max) {
      this.#window += 1;
      this.#credit = 0;
    }
  }

  /**
   * Worst case without this: 100 patches to a hub that answers nothing, 10 s each, outlast the function's time, and the
   * results of those that went through before are not recorded.
   */
  #giveUpWaiting(retryAfterMs: number | undefined): void {
    const message = `the hub gave no proper answer to ${this.#troubles} requests in a row; the others were not sent`;
    const details = { reason: 'HubOverloaded', ...(retryAfterMs !== undefined && { retryAfterMs }) };
    for (const { giveUp } of this.#waiting.splice(0)) giveUp(new Fault('limited', message, details));
  }
}
