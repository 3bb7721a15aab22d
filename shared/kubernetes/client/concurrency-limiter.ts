/**
 * Limits the requests in flight to a hub: begins with few and adds one per fast response (slow start) until the first cut, then one per window
 * of fast responses (AIMD). Halves on 429, on no response, and on responses that get slower, and waits as long as Retry-After requests.
 * Sends no request that the invocation has no time left for.
 */
import { deadlineExceeded, timeForRequest } from '../../core/deadline.ts';
import { Fault } from '../../core/fault.ts';
import type { Share } from '../hub-budget.ts';

/** After this many consecutive requests without a proper response, waiting requests fail: their messages are redelivered later. */
export const TROUBLES = 5;

/** In flight at the beginning, and again after IDLE_MS without a request. An instance may have as many without a share of the hub's budget. */
const START = 4;
const IDLE_MS = 60_000;
/** A share is needed when this many requests wait. */
const MANY = 2 * START;
const RETRY_MS = 10_000;

/** Responses below this are fast on any hub. */
const SLOW_MS = 1000;
/** A response that takes this many times as long as the fastest recent one indicates a busier hub. */
const SLOWER = 2;
/** The baseline is the fastest response of one to two such periods. */
const BASELINE_MS = 10_000;
/**
 * Slowness alone cuts the window to this, or to a quarter of the maximum: fewer requests do not help a distant hub. Example: at 2.5 s
 * per response, 100 triggers take 63 s with 4 in flight, and 250 s with one.
 */
const FLOOR = 4;

export interface LimiterOptions {
  readonly max: number;
  readonly now: () => number;
  readonly wait: (ms: number) => Promise<void>;
  /** Time left in the invocation that sends the request. */
  readonly timeLeft?: (() => number) | undefined;
  /** Takes a share of the hub's budget, with which `max` may be in flight. Absent for a client of one user. */
  readonly share?: (() => Promise<Share>) | undefined;
  /** Called after a cut of the window. */
  readonly onCut?: (window: number) => void;
}

export interface LimitSignal {
  readonly limited: boolean;
  readonly retryAfterMs?: number;
}

interface WaitingRequest {
  /** When its invocation ends. */
  readonly until: number;
  readonly go: () => void;
  readonly giveUp: (fault: Fault) => void;
}

export class ConcurrencyLimiter {
  readonly #options: LimiterOptions;
  readonly #floor: number;
  readonly #baseline = new Baseline();
  #window: number;
  #inFlight = 0;
  #credit = 0;
  #isStarting = true;
  #usedAt = Number.NEGATIVE_INFINITY;
  #lastCut = Number.NEGATIVE_INFINITY;
  #notBefore = 0;
  #troubles = 0;
  #waiting: WaitingRequest[] = [];
  #share: { readonly most: number; readonly until: number } | undefined;
  #isAsking = false;

  constructor(options: LimiterOptions) {
    this.#options = options;
    this.#window = Math.min(options.max, START);
    this.#floor = Math.min(options.max, Math.max(FLOOR, Math.floor(options.max / 4)));
  }

  /** Whether no call runs or waits. */
  get isIdle(): boolean {
    return this.#inFlight === 0 && this.#waiting.length === 0;
  }

  get window(): number {
    return Math.min(this.#window, this.#most);
  }

  get #most(): number {
    const { max, share, now } = this.#options;
    if (share === undefined) return max;
    return Math.min(max, this.#share !== undefined && now() < this.#share.until ? this.#share.most : START);
  }

  /** How many requests in a row got no proper response. */
  get troubles(): number {
    return this.#troubles;
  }

  /**
   * Runs `call` with its timeout when the window has capacity. `classify` reports whether the response is a throttling. Throws a Fault
   * `DeadlineExceeded` if the invocation has no time left for it.
   */
  async run<T>(call: (timeoutMs: number) => Promise<T>, classify: (answer: T) => LimitSignal): Promise<T> {
    await this.#capacity();
    try {
      await this.#pause();
      return await this.#send(call, classify);
    } finally {
      this.#inFlight -= 1;
      this.#release();
    }
  }

  /** Time that an invocation has left for a request; 0 for none. */
  #time(): number {
    return timeForRequest(this.#options.timeLeft?.() ?? Number.POSITIVE_INFINITY);
  }

  async #capacity(): Promise<void> {
    const time = this.#time();
    if (time === 0) throw notSent();
    this.#startAfterIdle();
    if (this.#inFlight < this.window) {
      this.#inFlight += 1;
      return;
    }
    const until = this.#options.now() + time;
    const waits = new Promise<void>((go, giveUp) => this.#waiting.push({ until, go, giveUp }));
    void this.#askForShare();
    await waits;
  }

  /** Requests wait meanwhile, so that the invocation does not end before. */
  async #askForShare(): Promise<void> {
    const { share, now, max } = this.#options;
    if (share === undefined || this.#isAsking || max <= START || this.#waiting.length < MANY) return;
    if (this.#share !== undefined && now() < this.#share.until) return;
    this.#isAsking = true;
    // A table that does not respond must not stop requests to the hub.
    const { most, forMs } = await share().catch(() => ({ most: START, forMs: RETRY_MS }));
    this.#share = { most, until: now() + forMs };
    this.#isAsking = false;
    this.#release();
  }

  /** What the window was a minute ago does not show what the hub can take now. */
  #startAfterIdle(): void {
    const now = this.#options.now();
    if (this.isIdle && now - this.#usedAt >= IDLE_MS) {
      this.#window = Math.min(this.#window, START);
      this.#isStarting = true;
    }
    this.#usedAt = now;
  }

  async #pause(): Promise<void> {
    const pause = this.#notBefore - this.#options.now();
    if (pause > this.#time()) throw notSent();
    if (pause > 0) await this.#options.wait(pause);
  }

  async #send<T>(call: (timeoutMs: number) => Promise<T>, classify: (answer: T) => LimitSignal): Promise<T> {
    const time = this.#time();
    // No attempt if the hub has never responded within the time left.
    if (time === 0 || time < this.#baseline.best) throw notSent();
    const started = this.#options.now();
    try {
      const answer = await call(time);
      this.#learn(classify(answer), started);
      return answer;
    } catch (thrown) {
      // A timeout at the end of an invocation is no signal about the hub.
      if (this.#time() > 0) this.#learn({ limited: true }, started);
      throw thrown;
    }
  }

  #release(): void {
    void this.#askForShare();
    const now = this.#options.now();
    const late = this.#waiting.filter(({ until }) => until <= now);
    if (late.length > 0) this.#waiting = this.#waiting.filter(({ until }) => until > now);
    for (const { giveUp } of late) giveUp(notSent());
    while (this.#inFlight < this.window && this.#waiting.length > 0) {
      this.#inFlight += 1;
      this.#waiting.shift()?.go();
    }
  }

  #learn({ limited, retryAfterMs }: LimitSignal, started: number): void {
    const now = this.#options.now();
    const took = now - started;
    this.#usedAt = now;
    this.#troubles = limited ? this.#troubles + 1 : 0;
    if (this.#troubles >= TROUBLES) this.#giveUpWaiting(retryAfterMs);
    if (limited) {
      this.#cut(1, { started, now });
      this.#notBefore = Math.max(this.#notBefore, now + (retryAfterMs ?? 0));
      return;
    }
    this.#baseline.note(took, now);
    if (took > Math.max(SLOW_MS, SLOWER * this.#baseline.best)) {
      this.#cut(this.#floor, { started, now });
      return;
    }
    this.#credit += 1;
    if (this.#credit >= (this.#isStarting ? 1 : this.#window) && this.#window < this.#most) {
      this.#window += 1;
      this.#credit = 0;
    }
  }

  #cut(floor: number, { started, now }: { readonly started: number; readonly now: number }): void {
    // Responses to requests sent before the last cut reflect the old window.
    if (started < this.#lastCut) return;
    const before = this.#window;
    this.#window = Math.min(before, Math.max(floor, Math.floor(before / 2)));
    this.#lastCut = now;
    this.#credit = 0;
    this.#isStarting = false;
    if (this.#window < before) this.#options.onCut?.(this.#window);
  }

  /**
   * Worst case without this: 100 patches to a hub that does not respond, 10 s each, exceed the function's timeout, and the
   * results of the successful ones before are not recorded.
   */
  #giveUpWaiting(retryAfterMs: number | undefined): void {
    const message = `the hub gave no proper answer to ${this.#troubles} requests in a row; the others were not sent`;
    const details = { reason: 'HubOverloaded', ...(retryAfterMs !== undefined && { retryAfterMs }) };
    for (const { giveUp } of this.#waiting.splice(0)) giveUp(new Fault('limited', message, details));
  }
}

/**
 * The fastest response of this period and the one before. When a hub becomes permanently slow, its new latency is the baseline
 * after one or two periods.
 */
class Baseline {
  #since = Number.NEGATIVE_INFINITY;
  #before: number | undefined;
  #current: number | undefined;

  /** 0 before the first response. */
  get best(): number {
    return Math.min(this.#current ?? 0, this.#before ?? Number.POSITIVE_INFINITY);
  }

  note(took: number, now: number): void {
    if (now - this.#since >= BASELINE_MS) {
      this.#before = this.#current;
      this.#current = undefined;
      this.#since = now;
    }
    this.#current = Math.min(this.#current ?? took, took);
  }
}

function notSent(): Fault {
  return deadlineExceeded('a request to the hub');
}
