/** The one HTTP/2 connection to an address: opened by the first call, shared by all, and reopened by the first call after it broke. */
import http2 from 'node:http2';
import { setTimeout as wait } from 'node:timers/promises';
import type { SecureContextOptions } from 'node:tls';
import type { GrpcTransportOptions } from '@connectrpc/connect-node';

type SessionManager = NonNullable<GrpcTransportOptions['sessionManager']>;

/** A connection that was idle this long is tested with a ping first: a frozen function loses connections without notice. */
const TRUSTED_MS = 30_000;
const SOON_MS = 50;

interface OpenSession {
  readonly session: http2.ClientHttp2Session;
  readonly connected: Promise<void>;
  readonly ended: Promise<void>;
  isConnected?: true;
  /** The server has sent its settings, the first frame of a connection. */
  isGreeted?: true;
  /** Closed by us. */
  isDropped?: true;
  error?: Error;
  /** When data was last received. */
  aliveAt: number;
  streams: number;
  /** The ping in progress, shared by all waiting calls. */
  ping?: Promise<boolean> | undefined;
}

export class EstimatorSessions implements SessionManager {
  readonly authority: string;
  readonly #tls: SecureContextOptions;
  readonly #pingMs: number;
  #current: OpenSession | undefined;
  #last: OpenSession | undefined;

  /** `pingMs`: timeout of a ping. */
  constructor(address: string, tls: SecureContextOptions, pingMs: number) {
    this.#pingMs = pingMs;
    this.authority = new URL(`https://${address}`).origin;
    this.#tls = tls;
  }

  /** The error that ended the connection, if it was not closed by us: a stream only reports its cancellation. */
  async brokenBy(): Promise<Error | undefined> {
    const connection = this.#last;
    if (connection?.session.destroyed !== true || connection.isDropped) return undefined;
    // Node emits a session's end shortly after the end of its streams, and not at all if TLS ended it.
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
    // A process may exit while a connection is idle, but not while a call waits for its response.
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

  /** Called after a timeout. Other calls may still be answered slowly, so the next call pings the connection instead of closing it. */
  doubt(): void {
    const connection = this.#current;
    if (connection === undefined) return;
    if (connection.isConnected) connection.aliveAt = Number.NEGATIVE_INFINITY;
    else this.#drop(connection);
  }

  /** Immediate: calls in progress fail. */
  close(): void {
    if (this.#current !== undefined) this.#drop(this.#current);
  }

  /** A broken connection is replaced once; an error of the new one is returned. */
  async #ready(): Promise<OpenSession> {
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

  #connect(): OpenSession {
    // Node 22.12 prints DEP0123 if the address is an IP, whatever `servername` is; Node 20.19 and later releases of 22 do not.
    const session = http2.connect(this.authority, this.#tls);
    const ended = new Promise<void>((resolve) => session.once('close', () => resolve()));
    const connected = new Promise<void>((resolve, reject) => {
      session.once('connect', () => resolve());
      // Node emits the error of a session before its end.
      void ended.then(() => reject(connection.error ?? new Error('the connection was closed')));
    });
    const connection: OpenSession = { session, connected, ended, aliveAt: performance.now(), streams: 0 };
    session.once('connect', () => {
      connection.isConnected = true;
      session.unref();
    });
    session.once('remoteSettings', () => {
      connection.isGreeted = true;
    });
    // For the whole lifetime: an unhandled 'error' event ends the process.
    session.on('error', (error) => {
      connection.error ??= error;
    });
    session.once('close', () => {
      if (this.#current === connection) this.#current = undefined;
    });
    this.#last = connection;
    return connection;
  }

  #drop(connection: OpenSession): void {
    if (this.#current === connection) this.#current = undefined;
    connection.isDropped = true;
    const error = Object.assign(new Error('the connection was given up'), { code: 'ECONNABORTED' });
    connection.session.destroy(error, http2.constants.NGHTTP2_CANCEL);
  }
}

async function isAlive(connection: OpenSession, pingMs: number): Promise<boolean> {
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

/** With TLS 1.3 a client learns of a rejected certificate only after its handshake, and not always with a message. */
function turnedAway(): Error {
  const message = 'it closed the connection before it sent anything, as it does when it rejects our certificate';
  return Object.assign(new Error(message), { code: 'ERR_TLS_TURNED_AWAY' });
}
