/** Requests and bytes of a rebalance, from the API server's /metrics, by kind. */
import type { Transport } from '../../shared/kubernetes/client/transport.ts';

/** Sums of the used series, by name and labels. */
export type Metrics = ReadonlyMap<string, number>;

export interface ApiUse {
  /** By verb and resource: "PATCH resourcebindings", "LIST resourcebindings", "PATCH workloadrebalancers/status". */
  readonly requests: Readonly<Record<string, number>>;
  readonly total: number;
  /** Bodies of requests, and responses to reads; the API server does not count responses to writes. */
  readonly sentBytes: number;
  readonly readBytes: number;
}

const GROUPS = ['apps.karmada.io', 'work.karmada.io'];
const SERIES = /^(?<name>[a-z_]+)\{(?<labels>.*)\} (?<value>[-+.\deE]+|NaN)$/;
const LABEL = /(\w+)="((?:[^"\\]|\\.)*)"/g;

const REQUESTS = 'apiserver_request_total';
const SENT = 'apiserver_request_body_size_bytes_sum';
const READ = 'apiserver_response_sizes_sum';

/** Parses Prometheus' text format; the difference of two results is an ApiUse. */
export function readMetrics(text: string): Metrics {
  const sums = new Map<string, number>();
  for (const line of text.split('\n')) {
    if (!line.startsWith('apiserver_re')) continue;
    const { name = '', labels = '', value = '' } = SERIES.exec(line)?.groups ?? {};
    if (name !== REQUESTS && name !== SENT && name !== READ) continue;
    const key = keyOf(name, labelsIn(labels));
    if (key !== undefined) sums.set(key, (sums.get(key) ?? 0) + Number(value));
  }
  return sums;
}

/** The API server's own metrics. The transport's `send` would truncate the text. */
export async function metricsOf(transport: Transport): Promise<Metrics> {
  const request = { method: 'GET', path: '/metrics', accept: 'text/plain' } as const;
  const { status, text } = await transport.stream(request, { signal: AbortSignal.timeout(30_000), silentMs: 30_000 });
  if (status !== 200) throw new Error(`GET /metrics was answered ${status}`);
  const parts: string[] = [];
  for await (const part of text) parts.push(part);
  return readMetrics(parts.join(''));
}

function labelsIn(text: string): Readonly<Record<string, string>> {
  return Object.fromEntries([...text.matchAll(LABEL)].map(([, label = '', value = '']) => [label, value]));
}

/** Undefined for kinds that are not Karmada's. */
function keyOf(name: string, labels: Readonly<Record<string, string | undefined>>): string | undefined {
  const { group = '', verb = '', resource = '', subresource = '' } = labels;
  if (!GROUPS.some((one) => group === one || resource.endsWith(`.${one}`))) return undefined;
  const kind = resource.split('.')[0] ?? '';
  return `${name} ${verb.toUpperCase()} ${kind}${subresource === '' ? '' : `/${subresource}`}`;
}

/** `own`: requests of the benchmark itself, by the same keys. */
export function useBetween(before: Metrics, after: Metrics, own: Readonly<Record<string, number>> = {}): ApiUse {
  const sumOf = (name: string) => [...grown(before, after, name).values()].reduce((sum, value) => sum + value, 0);
  const requests = Object.fromEntries(
    [...grown(before, after, REQUESTS)]
      .map(([what, times]) => [what, times - (own[what] ?? 0)] as const)
      .filter(([, times]) => times > 0)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
  const total = Object.values(requests).reduce((sum, times) => sum + times, 0);
  return { requests, total, sentBytes: sumOf(SENT), readBytes: sumOf(READ) };
}

function grown(before: Metrics, after: Metrics, name: string): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const [key, value] of after) {
    const more = value - (before.get(key) ?? 0);
    if (key.startsWith(`${name} `) && more > 0) found.set(key.slice(name.length + 1), more);
  }
  return found;
}
