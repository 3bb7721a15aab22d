/** The connection to an estimator, on an HTTP/2 server of the test's own. */
import { once } from 'node:events';
import http2 from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import tls from 'node:tls';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { EstimatorSessions } from '../../../shared/estimator/estimator-sessions.ts';
import { identities } from '../../fakes/estimator-identities.ts';

const { known } = await identities();
let server: http2.Http2SecureServer;
let sessions: http2.ServerHttp2Session[];
let pings: number;
/** Streams are answered unless a test holds them open. */
let hold: boolean;
let line: EstimatorSessions;
let now: number;

beforeEach(async () => {
  [sessions, pings, hold, now] = [[], 0, false, 0];
  server = http2.createSecureServer({ key: known.key, cert: known.cert });
  server.on('session', (session) => {
    sessions.push(session);
    session.on('ping', () => (pings += 1));
    session.on('error', () => undefined);
  });
  server.on('secureConnection', (socket: Socket) => socket.unref());
  server.on('stream', (stream) => {
    stream.on('error', () => undefined);
    stream.respond({ ':status': 200 });
    if (!hold) stream.end('x');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A whole number: 30,000 ms later than a fraction may be less.
  const start = Math.ceil(performance.now());
  vi.spyOn(performance, 'now').mockImplementation(() => start + now);
  line = new EstimatorSessions(`127.0.0.1:${(server.address() as AddressInfo).port}`, { ca: known.cert }, 2000);
});
afterEach(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  line.close();
  for (const session of sessions) session.destroy();
  await new Promise((resolve) => server.close(resolve));
});

async function ask({ read = false } = {}): Promise<http2.ClientHttp2Stream> {
  const stream = await line.request('GET', '/', {}, {});
  stream.on('error', () => undefined);
  if (hold) return stream;
  stream.on('data', () => read && line.notifyResponseByteRead(stream));
  stream.resume();
  await once(stream, 'close');
  return stream;
}

/** A client gets the close event of its session a moment later; until then its requests fail. */
const opened = (times: number) =>
  vi.waitFor(async () => {
    await ask();
    expect(sessions).toHaveLength(times);
  });

/** Also where it ends by an error. */
const endOf = (session: http2.Http2Session | undefined) =>
  new Promise<void>((resolve) => session?.once('close', () => resolve()));

/** Handles that keep the process alive. */
const kept = () => process.getActiveResourcesInfo().filter((name) => /TCP|TLS/.test(name)).length;

describe('the connection to an estimator', () => {
  it('is shared by all requests, and is trusted for half a minute after an answer', async () => {
    await Promise.all([ask(), ask(), ask()]);
    now = 29_999;
    await ask();
    expect([sessions.length, pings]).toEqual([1, 0]);
    now = 30_000;
    await ask();
    expect([sessions.length, pings]).toEqual([1, 1]);
    now = 59_999;
    await ask();
    expect(pings).toBe(1);
  });

  it('is trusted again with every byte received over it', async () => {
    await ask();
    now = 20_000;
    await ask({ read: true });
    now = 40_000;
    await ask();
    expect([sessions.length, pings]).toEqual([1, 0]);
  });

  it('is not trusted for a byte received over another one', async () => {
    const before = await ask();
    sessions[0]?.destroy();
    await opened(2);
    now = 30_000;
    line.notifyResponseByteRead(before);
    await ask();
    expect([sessions.length, pings]).toEqual([2, 1]);
  });

  it('is tested with a ping, and kept, if a request timed out', async () => {
    await ask();
    line.doubt();
    await Promise.all([ask(), ask()]);
    expect([sessions.length, pings]).toEqual([1, 1]);
  });

  it('is opened again if the server closed it', async () => {
    await ask();
    expect(await line.brokenBy()).toBe(undefined);
    sessions[0]?.destroy();
    await opened(2);
  });

  it('keeps a process alive only while an answer is waited for', async () => {
    await ask();
    await turn();
    const idle = kept();
    hold = true;
    const first = await ask();
    expect(kept()).toBe(idle + 1);
    const second = await ask();
    expect(kept()).toBe(idle + 1);
    first.close();
    await once(first, 'close');
    expect(kept()).toBe(idle + 1);
    second.close();
    await once(second, 'close');
    expect(kept()).toBe(idle);
  });

  it('is not replaced by a second one while the close event of the previous one is delayed', async () => {
    hold = true;
    const { session } = await ask();
    hold = false;
    const ended = endOf(session);
    line.close();
    await Promise.all([ask(), ended]);
    await ask();
    expect(sessions).toHaveLength(2);
  });

  it('is replaced once if several requests wait for an unanswered ping', async () => {
    await ask();
    line.doubt();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const asked = [ask(), ask()];
    // Only promises go on here: the time of the ping is over before the network has its turn.
    while (vi.getTimerCount() === 0) await Promise.resolve();
    vi.advanceTimersByTime(2000);
    await Promise.all(asked);
    await ask();
    expect(sessions).toHaveLength(2);
  });

  it('accepts a notification of received bytes after it is closed', async () => {
    hold = true;
    const stream = await ask();
    line.close();
    expect(() => line.notifyResponseByteRead(stream)).not.toThrow();
  });

  it('fails what is under way by its own error when it is closed, and is then broken by nothing', async () => {
    hold = true;
    const stream = await ask();
    const failed = once(stream, 'error');
    line.close();
    expect(await failed).toMatchObject([{ code: 'ECONNABORTED', message: 'the connection was given up' }]);
    expect(await line.brokenBy()).toBe(undefined);
  });

  it('breaks without a specific reason if the server sent frames and then closed without an error', async () => {
    hold = true;
    const stream = await ask();
    await once(stream, 'response');
    const ended = endOf(stream.session);
    sessions[0]?.destroy();
    stream.resume();
    await ended;
    expect(await line.brokenBy()).toBe(undefined);
  });
});

describe('a connection to an estimator that cannot be established', () => {
  it('fails with the network error on every request', async () => {
    await new Promise((resolve) => server.close(resolve));
    for (let i = 0; i < 2; i++) await expect(ask()).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    expect(await line.brokenBy()).toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('breaks when the server rejects the client certificate and closes before its settings', async () => {
    const silent = tls.createServer({ key: known.key, cert: known.cert, ALPNProtocols: ['h2'] }, (socket) =>
      socket.end(),
    );
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const turning = new EstimatorSessions(
      `127.0.0.1:${(silent.address() as AddressInfo).port}`,
      { ca: known.cert },
      2000,
    );
    const stream = await turning.request('GET', '/', {}, {});
    stream.on('error', () => undefined);
    await once(stream, 'close');
    expect(await turning.brokenBy()).toMatchObject({ code: 'ERR_TLS_TURNED_AWAY' });
    await new Promise((resolve) => silent.close(resolve));
  });
});
