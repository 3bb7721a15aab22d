/** Our gRPC client against servers on loopback that do everything a server may do to it. */
import http2 from 'node:http2';
import net, { type AddressInfo } from 'node:net';
import tls from 'node:tls';
import { Code, ConnectError } from '@connectrpc/connect';
import { connectNodeAdapter } from '@connectrpc/connect-node';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { KeyPair } from '../../../local/hook-access.ts';
import { Estimator } from '../../../shared/estimator/estimator_pb.ts';
import { GrpcEstimator } from '../../../shared/estimator/grpc-estimator.ts';
import { type Identities, identities } from '../../fakes/estimator-identities.ts';

const web = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web', replicas: 5 };
/** On a busy machine too, an answer comes within this. */
const TIMEOUT_MS = 30_000;
/** Of requests whose time is passed by the test. */
const HURRY_MS = 1000;

let ids: Identities;
beforeAll(async () => {
  ids = await identities();
});

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

interface Server {
  readonly address: string;
  connections: number;
  readonly asked: string[];
}

type Answer = (cluster: string) => Promise<number> | number;

/** A server of the real service, whose every answer is the test's. */
async function serve(answer: Answer, { server = ids.known, clients = ids.known.cert } = {}): Promise<Server> {
  const asked: string[] = [];
  const handler = connectNodeAdapter({
    routes: (router) =>
      router.service(Estimator, {
        getUnschedulableReplicas: async ({ cluster }) => {
          asked.push(cluster);
          return { unschedulableReplicas: await answer(cluster) };
        },
        maxAvailableReplicas: async ({ cluster }) => ({ maxReplicas: await answer(cluster) }),
      }),
  });
  return listen(
    http2Server(server, clients, (request, response) => handler(request, response)),
    asked,
  );
}

function http2Server(
  { key, cert }: KeyPair,
  ca: string,
  handler: (request: http2.Http2ServerRequest, response: http2.Http2ServerResponse) => void,
): http2.Http2SecureServer {
  const options = { key, cert, ca, requestCert: true, rejectUnauthorized: true, minVersion: 'TLSv1.3' } as const;
  return http2.createSecureServer(options, handler);
}

async function listen(server: net.Server, asked: string[] = []): Promise<Server> {
  const sockets = new Set<net.Socket>();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const state = { address: `127.0.0.1:${(server.address() as AddressInfo).port}`, connections: 0, asked };
  server.on(server instanceof tls.Server ? 'secureConnection' : 'connection', () => {
    state.connections += 1;
  });
  server.on('connection', (socket: net.Socket) => sockets.add(socket));
  closing.push(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return state;
}

/** Passes bytes on; what goes through it now is frozen when asked, and what comes later is not. */
async function cuttable(address: string): Promise<Server & { freeze: () => void }> {
  const pairs = new Set<readonly [net.Socket, net.Socket]>();
  const [host, port] = address.split(':');
  const server = net.createServer((incoming) => {
    const outgoing = net.connect({ host: host ?? '', port: Number(port) });
    incoming.pipe(outgoing).pipe(incoming);
    pairs.add([incoming, outgoing]);
    for (const socket of [incoming, outgoing]) socket.on('error', () => undefined);
    closing.push(() => outgoing.destroy());
  });
  const freeze = () => {
    for (const pair of pairs) for (const socket of pair) socket.unpipe().pause();
    pairs.clear();
  };
  return { ...(await listen(server)), freeze };
}

function client(address: string, timeoutMs = TIMEOUT_MS): GrpcEstimator {
  const { cert, key } = ids.known;
  const estimator = { address, caData: cert, certificateData: cert, keyData: key };
  const subject = new GrpcEstimator(estimator, timeoutMs);
  closing.push(() => subject.close());
  return subject;
}

const ask = (subject: GrpcEstimator, cluster = 'member1') => subject.unschedulableReplicas(cluster, web, 300);

/** A request's time and a ping's: the network is real, and may take as long as a busy machine lets it. */
const timers = { toFake: ['setTimeout', 'clearTimeout'] } satisfies Parameters<typeof vi.useFakeTimers>[0];
afterEach(() => vi.useRealTimers());

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve));
}

describe('an estimator request', () => {
  it('returns the reported number unchanged: the descheduler validates it', async () => {
    for (const reported of [0, 3, -1, 2_147_483_647]) {
      const { address } = await serve(() => reported);
      expect(await ask(client(address))).toBe(reported);
      expect(await client(address).maxAvailableReplicas('member1', { resourceRequest: { cpu: '1' } })).toBe(reported);
    }
  });

  it('is sent to the address of its cluster', async () => {
    const { address, asked } = await serve(() => 1);
    const subject = client(address.replace('127.0.0.1', '127.0.0.{cluster}'));
    expect(await ask(subject, '1')).toBe(1);
    expect(asked).toEqual(['1']);
  });

  it('shares one connection with a hundred other requests', async () => {
    const server = await serve(() => 1);
    const subject = client(server.address);
    const answers = await Promise.all(Array.from({ length: 100 }, (_, i) => ask(subject, `member${i}`)));
    expect(answers).toEqual(Array.from({ length: 100 }, () => 1));
    await ask(subject);
    expect(server.connections).toBe(1);
  });

  it('that is answered slowly, but in time, is answered', async () => {
    vi.useFakeTimers(timers);
    const answers: ((replicas: number) => void)[] = [];
    const server = await serve(() => new Promise((resolve) => void answers.push(resolve)));
    const asked = ask(client(server.address, HURRY_MS));
    await until(() => answers.length === 1);
    vi.advanceTimersByTime(HURRY_MS - 1);
    answers[0]?.(2);
    expect(await asked).toBe(2);
  });

  it('about another kind than Deployments is not sent, and the error names the estimator that counts it', async () => {
    const server = await serve(() => 3);
    const set = { ...web, kind: 'StatefulSet' };
    await expect(client(server.address).unschedulableReplicas('member1', set, 300)).rejects.toMatchObject({
      retryClass: 'terminal',
      reason: 'ReplicasNotMovable',
      message:
        'karmada-scheduler-estimator counts the pods of Deployments only; register the hub with --estimator pods for StatefulSet shop/web',
    });
    expect(server.asked).toEqual([]);
  });
});

describe('in time is not', () => {
  beforeEach(() => void vi.useFakeTimers(timers));

  it('an estimator that does not answer: the request times out, and the next one uses the same connection, which is alive', async () => {
    let silent = true;
    const server = await serve(() => (silent ? new Promise<number>(() => {}) : 4));
    const subject = client(server.address, HURRY_MS);
    const asked = ask(subject);
    await until(() => server.asked.length === 1);
    vi.advanceTimersByTime(HURRY_MS);
    await expect(asked).rejects.toMatchObject({
      retryClass: 'retryable',
      reason: 'EstimatorTimeout',
      message: `the estimator of cluster member1 at ${server.address}: no answer within 1 s`,
    });
    silent = false;
    expect(await ask(subject)).toBe(4);
    expect(server.connections).toBe(1);
  });

  it('an estimator whose network is cut: the request after the one that timed out reaches it again', async () => {
    const server = await serve(() => 4);
    const way = await cuttable(server.address);
    const subject = client(way.address, HURRY_MS);
    expect(await ask(subject)).toBe(4);
    way.freeze();
    const waiting = vi.getTimerCount();
    const asked = ask(subject);
    await until(() => vi.getTimerCount() > waiting);
    vi.advanceTimersByTime(HURRY_MS);
    await expect(asked).rejects.toMatchObject({ reason: 'EstimatorTimeout' });
    const again = ask(subject);
    // The request timeout, and the timeout of the ping that stays unanswered.
    await until(() => vi.getTimerCount() >= waiting + 2);
    vi.advanceTimersByTime(HURRY_MS / 2);
    expect(await again).toBe(4);
    expect(server.connections).toBe(2);
  });

  it('an estimator that accepts a connection and sends nothing', async () => {
    const server = await listen(net.createServer(() => {}));
    const asked = ask(client(server.address, HURRY_MS));
    await until(() => server.connections === 1);
    vi.advanceTimersByTime(HURRY_MS);
    await expect(asked).rejects.toMatchObject({ reason: 'EstimatorTimeout' });
  });

  it('an estimator that is slow for one cluster: the requests for other clusters on the same connection are answered', async () => {
    const answers = new Map<string, (replicas: number) => void>();
    const server = await serve((cluster) => new Promise((resolve) => void answers.set(cluster, resolve)));
    const subject = client(server.address, HURRY_MS);
    const slow = ask(subject, 'slow');
    await until(() => answers.has('slow'));
    vi.advanceTimersByTime(HURRY_MS / 2);
    const other = ask(subject, 'other');
    await until(() => answers.has('other'));
    vi.advanceTimersByTime(HURRY_MS / 2);
    await expect(slow).rejects.toMatchObject({ reason: 'EstimatorTimeout' });
    answers.get('other')?.(5);
    expect(await other).toBe(5);
    expect(server.connections).toBe(1);
  });
});

describe('an estimator that', () => {
  it('is not there is unreachable', async () => {
    const { address } = await listen(net.createServer());
    for (const close of closing.splice(0)) close();
    await expect(ask(client(address))).rejects.toMatchObject({
      retryClass: 'retryable',
      reason: 'EstimatorUnreachable',
    });
    await expect(ask(client('no-such-host.invalid:10352'))).rejects.toMatchObject({ reason: 'EstimatorUnreachable' });
  });

  it('was away is asked again when it is back', async () => {
    const first = await serve(() => 1);
    const subject = client(first.address);
    expect(await ask(subject)).toBe(1);
    for (const close of closing.splice(1)) close();
    closing.splice(0)[0]?.();
    await expect(ask(subject)).rejects.toMatchObject({ reason: 'EstimatorUnreachable' });
    const port = Number(first.address.split(':')[1]);
    const handler = connectNodeAdapter({
      routes: (router) => router.service(Estimator, { getUnschedulableReplicas: () => ({ unschedulableReplicas: 6 }) }),
    });
    const again = http2Server(ids.known, ids.known.cert, (request, response) => handler(request, response));
    await new Promise<void>((resolve) => again.listen(port, '127.0.0.1', resolve));
    closing.push(() => subject.close());
    closing.push(() => void again.close());
    expect(await ask(subject)).toBe(6);
  });

  it('shows a certificate of another authority is not trusted', async () => {
    const { address } = await serve(() => 1, { server: ids.stranger });
    await expect(ask(client(address))).rejects.toMatchObject({ retryClass: 'retryable', reason: 'EstimatorUntrusted' });
  });

  it('shows a certificate for another name is not trusted', async () => {
    const { address } = await serve(() => 1);
    await expect(ask(client(address.replace('127.0.0.1', '127.0.0.2')))).rejects.toMatchObject({
      reason: 'EstimatorUnreachable',
    });
    const elsewhere = await serve(() => 1);
    const [, port] = elsewhere.address.split(':');
    await expect(ask(client(`[::ffff:127.0.0.1]:${port}`))).rejects.toMatchObject({ reason: 'EstimatorUntrusted' });
  });

  it('does not know our certificate is not to be used', async () => {
    const { address } = await serve(() => 1, { clients: ids.stranger.cert });
    await expect(ask(client(address))).rejects.toMatchObject({ reason: 'EstimatorUntrusted' });
  });

  it('speaks only TLS 1.2 is not trusted', async () => {
    const { key, cert } = ids.known;
    const { address } = await listen(tls.createServer({ key, cert, maxVersion: 'TLSv1.2' }, () => {}));
    await expect(ask(client(address))).rejects.toMatchObject({ reason: 'EstimatorUntrusted' });
  });

  it('rejects the request reports its own message', async () => {
    const { address } = await serve(() => {
      throw new ConnectError('cluster name does not match, got: member1, desire: member2', Code.Unknown);
    });
    await expect(ask(client(address))).rejects.toMatchObject({
      reason: 'EstimatorFailed',
      message: expect.stringContaining('it answered Unknown: cluster name does not match') as string,
    });
  });

  it.each([
    ['something that is no gRPC', { 'content-type': 'text/html' }, '<h1>It works</h1>'],
    ['bytes that are no message', { 'content-type': 'application/grpc' }, '\0\0\0\0\u0005hello'],
    ['half a message', { 'content-type': 'application/grpc' }, '\0\0\0\0\u0009hello'],
    ['a page that there is nothing', { ':status': 404 }, ''],
    ['nothing at all', { 'content-type': 'application/grpc' }, ''],
  ])('answers %s talks garbage', async (_, headers, body) => {
    const server = http2Server(ids.known, ids.known.cert, () => {});
    server.removeAllListeners('request');
    server.on('stream', (stream) => {
      stream.respond(headers);
      stream.end(body);
    });
    const { address } = await listen(server);
    await expect(ask(client(address))).rejects.toMatchObject({ retryClass: 'retryable', reason: 'EstimatorGarbage' });
  });

  it('speaks no HTTP/2 talks garbage', async () => {
    const { key, cert } = ids.known;
    const { address } = await listen(
      tls.createServer({ key, cert, ALPNProtocols: ['h2'] }, (socket) => void socket.end('220 mail.example ESMTP\r\n')),
    );
    await expect(ask(client(address))).rejects.toMatchObject({ reason: 'EstimatorGarbage' });
  });
});

describe('closing', () => {
  it('ends the request in flight and the connection, at once', async () => {
    const server = await serve(() => new Promise<number>(() => {}));
    const subject = client(server.address);
    const asked = ask(subject);
    await until(() => server.asked.length === 1);
    subject.close();
    await expect(asked).rejects.toMatchObject({ reason: 'EstimatorUnreachable' });
  });
});
