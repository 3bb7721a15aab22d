/** The one HTTP/2 connection to an address: opened by the first question, shared by all, and opened again by the first one after it broke. */
import http2 from 'node:http2';
import { setTimeout as wait } from 'node:timers/promises';
import type { SecureContextOptions } from 'node:tls';
import type { GrpcTransportOptions } from '@connectrpc/connect-node';

type SessionManager = NonNullable<GrpcTransportOptions['sessionManager']>;

/** A connection that nothing came over for so long is tried with a ping first: a function that was frozen has lost it without a word. */
const TRUSTED_MS = 30_000;
const SOON_MS = 50;

interface Connection {
  readonly session: http2.ClientHttp2Session;
  readonly connected: Promise<void>;
  readonly ended: Promise<void>;
  isConnected?: true;
  /** The other side has said something at all: its settings come first. */
  isGreeted?: true;
  /** By us. */
  isDropped?: true;
  error?: Error;
  /** When something last came over it. */
  aliveAt: number;
  streams: number;
  /** The ping under way, for all who wait for it. */
  ping?: Promise<boolean> | undefined;
}

export class EstimatorLine implements SessionManager {
  readonly authority: string;
  readonly #tls: SecureContextOptions;
  readonly #pingMs: number;
  #current: Connection | undefined;
  #last: Connection | undefined;

  /** `pingMs`: how long a connection that is tried may take to show that it is alive. */
  constructor(address: string, tls: SecureContextOptions, pingMs: number) {
    this.#pingMs = pingMs;
    this.authority = new URL(`https://${address}`).origin;
    this.#tls = tls;
  }

  /** What ended the connection, where it ended by itself: a stream on it tells only that it was cancelled. */
  async brokenBy(): Promise<Error | undefined> {
    const connection = this.#last;
    if (connection?.session.destroyed !== true || connection.isDropped) return undefined;
    // Node tells a session's end a moment after its streams', and not at all where TLS ended it.
    await Promise.race([connection.ended, wait(SOON_MS)]);
    return connection.error ?? (connection.isGreeted ? undefined : turnedAway());
  }

  async request(
    method: string,
    path: string,
    headers: http2.OutgoingHttpHeaders,
    options: http2.ClientSessionRequestOptions,
  ): Promise<http2.ClientHttp2Stream> {
    const connection = await this.#ready();
    const stream = connection.session.request({ ...headers, ':method': method, ':path': path }, options);
    // A process may end while a connection is idle, and not before an answer that somebody waits for.
    if (connection.streams++ === 0) connection.session.ref();
    stream.once('close', () => {
      if (--connection.streams === 0) connection.session.unref();
    });
    return stream;
  }

  notifyResponseByteRead(stream: http2.ClientHttp2Stream): void {
    const connection = this.#current;
    if (connection !== undefined && connection.session === stream.session) connection.aliveAt = performance.now();
  }

  /** A question was not answered in time. Others may still be, slowly, so the next one tries the connection instead of cutting them off. */
  doubt(): void {
    const connection = this.#current;
    if (connection === undefined) return;
    if (connection.isConnected) connection.aliveAt = Number.NEGATIVE_INFINITY;
    else this.#drop(connection);
  }

  /** At once: what is under way fails. */
  close(): void {
    if (this.#current !== undefined) this.#drop(this.#current);
  }

  /** A connection that is no good any more is replaced once; what is wrong with a new one is the answer. */
  async #ready(): Promise<Connection> {
    const known = this.#current;
    if (known !== undefined) {
      await known.connected;
      if (await isAlive(known, this.#pingMs)) return known;
      this.#drop(known);
    }
    this.#current ??= this.#connect();
    const fresh = this.#current;
    await fresh.connected;
    return fresh;
  }

  #connect(): Connection {
    const session = http2.connect(this.authority, this.#tls);
    const connected = new Promise<void>((resolve, reject) => {
      session.once('connect', () => resolve()).once('error', reject);
      session.once('close', () => reject(new Error('the connection was closed')));
    });
    const ended = new Promise<void>((resolve) => session.once('close', () => resolve()));
    const connection: Connection = { session, connected, ended, aliveAt: performance.now(), streams: 0 };
    session.once('connect', () => {
      connection.isConnected = true;
      session.unref();
    });
    session.once('remoteSettings', () => {
      connection.isGreeted = true;
    });
    // For as long as it lives: an error that nobody hears ends the process.
    session.on('error', (error) => {
      connection.error ??= error;
    });
    session.once('close', () => {
      if (this.#current === connection) this.#current = undefined;
    });
    // Whoever waits for it is told; nobody may be waiting.
    connected.catch(() => undefined);
    this.#last = connection;
    return connection;
  }

  #drop(connection: Connection): void {
    if (this.#current === connection) this.#current = undefined;
    connection.isDropped = true;
    const error = Object.assign(new Error('the connection was given up'), { code: 'ECONNABORTED' });
    connection.session.destroy(error, http2.constants.NGHTTP2_CANCEL);
  }
}

async function isAlive(connection: Connection, pingMs: number): Promise<boolean> {
  const { session } = connection;
  if (session.closed || session.destroyed) return false;
  if (performance.now() - connection.aliveAt < TRUSTED_MS) return true;
  connection.ping ??= pinged(session, pingMs).finally(() => {
    connection.ping = undefined;
  });
  if (!(await connection.ping)) return false;
  connection.aliveAt = performance.now();
  return !session.closed;
}

function pinged(session: http2.ClientHttp2Session, ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    const done = (alive: boolean) => {
      clearTimeout(timer);
      session.off('close', gone);
      resolve(alive);
    };
    const gone = () => done(false);
    const timer = setTimeout(gone, ms);
    session.once('close', gone);
    session.ping((error) => done(error === null));
  });
}

/** With TLS 1.3 a client learns of a certificate that is not accepted after its handshake, and not always in words. */
function turnedAway(): Error {
  const message = 'it closed the connection before it said anything, as where our certificate is not accepted';
  return Object.assign(new Error(message), { code: 'ERR_TLS_TURNED_AWAY' });
}
