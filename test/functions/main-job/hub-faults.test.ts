/** Every kind of fault that a hub's API server can show, as the deployed client sees it: for a minute, while a rebalancer of twenty workloads is under way. */
import { describe, expect, it } from 'vitest';
import { Fault, HUB_UNREACHABLE } from '../../../shared/core/fault.ts';
import type { ApiRequest, ApiResponse } from '../../../shared/kubernetes/client/transport.ts';
import { deployments } from '../../builders.ts';
import { slowDown } from '../../fakes/slow-hub.ts';
import { World } from '../../fakes/world.ts';

interface Asked {
  readonly request: ApiRequest;
  /** Has the hub carry the request out, and gives its response. */
  readonly answer: () => ApiResponse;
  /** How many requests came before, of those that the fault could have hit. */
  readonly count: number;
}

type HubFault = (asked: Asked) => ApiResponse;

const status =
  (code: number, more: Partial<ApiResponse> = {}): HubFault =>
  () => ({ status: code, body: { kind: 'Status', status: 'Failure', code, reason: `Http${code}` }, ...more });
const isBindings = ({ path }: ApiRequest) => path.includes('/resourcebindings');
const isList = ({ method, path }: ApiRequest) => method === 'GET' && path.includes('?limit=');
const when =
  (hits: (request: ApiRequest) => boolean, fault: HubFault): HubFault =>
  (asked) =>
    hits(asked.request) ? fault(asked) : asked.answer();
const patches = ({ method }: ApiRequest) => method === 'PATCH';
const thrown = (message: string, reason = HUB_UNREACHABLE) => {
  throw new Fault('retryable', message, { reason });
};
const withBody =
  (change: (body: Record<string, unknown>) => unknown): HubFault =>
  ({ answer }) => {
    const { body, ...response } = answer();
    return { ...response, body: change(body as Record<string, unknown>) };
  };

/** For a minute; then the hub is healthy again. */
const passing: Readonly<Record<string, HubFault>> = {
  'rejects connections': () => thrown('connect ECONNREFUSED 10.0.0.1:6443'),
  'does not resolve': () => thrown('getaddrinfo ENOTFOUND hub.example'),
  'shows a certificate that is not trusted': () => thrown('self-signed certificate in certificate chain'),
  'resets connections before it acts': () => thrown('read ECONNRESET'),
  'acts, and its response is lost': ({ answer }) => {
    answer();
    return thrown('socket hang up');
  },
  'sends an endless response': ({ answer }) => {
    answer();
    return thrown('the response (status 200) has more than 134217728 bytes', 'ResponseTooLarge');
  },
  'answers 401: the credential has expired': status(401),
  'answers 403: a right is missing': status(403),
  'answers 404 for its kinds': status(404),
  'answers 408': status(408),
  'answers 409 to every write': when(patches, status(409)),
  'answers 410 to every page but the first': when(isList, (asked) =>
    asked.request.path.includes('&continue=') ? status(410)(asked) : asked.answer(),
  ),
  'answers 413 to every write': when(patches, status(413)),
  'answers 422 to every write': when(patches, status(422)),
  'answers 429 with Retry-After': status(429, { retryAfterMs: 5000 }),
  'answers 429 without Retry-After': status(429),
  'answers 500': status(500),
  'answers 500 to every second request': (asked) => (asked.count % 2 === 0 ? status(500)(asked) : asked.answer()),
  'answers 502': status(502),
  'answers 503 with Retry-After': status(503, { retryAfterMs: 10_000 }),
  'answers 504': status(504),
  redirects: status(302),
  'answers 200 with a page of a proxy': () => thrown('200 without JSON: <html>maintenance</html>'),
  'answers 200 with half of its JSON': () => thrown('the hub answered 200 with broken JSON: {', 'BrokenResponse'),
  'lists null for its items': when(
    isList,
    withBody((body) => ({ ...body, items: null })),
  ),
  'repeats its continue token': when(
    isList,
    withBody((body) => ({ ...body, metadata: { continue: 'again', remainingItemCount: 5 } })),
  ),
  'takes 2.5 s for every answer': ({ answer }) => answer(),
};

describe('a rebalancer is finished, each binding triggered once and no dead letter left, after a minute in which the hub', () => {
  it.each(Object.entries(passing))('%s', async (name, fault) => {
    const w = new World();
    const workloads = deployments(20);
    w.bind(workloads);
    const until = w.clock.now() + 60_000;
    let count = 0;
    let patched = 0;
    slowDown(w, {
      latencyMs: name.startsWith('takes') ? 2500 : 10,
      answering: (request, answer) => {
        const carriedOut = () => {
          const response = answer();
          if (patches(request) && isBindings(request) && response.status === 200) patched += 1;
          return response;
        };
        return w.clock.now() < until ? fault({ request, answer: carriedOut, count: count++ }) : carriedOut();
      },
    });
    w.create('demo', workloads);
    for (let minutes = 0; minutes < 30; minutes += 5) {
      await w.pass(300);
      await w.resync();
    }
    await w.pass(300);
    expect(count).toBeGreaterThan(0);
    expect(new Set(w.results('demo').map((line) => line.split('=')[1]))).toEqual(new Set(['Successful']));
    expect(w.rebalancer('demo')?.status?.finishTime).not.toBeUndefined();
    expect(patched).toBe(20);
    expect(w.deadLetters).toEqual([]);
  });
});
