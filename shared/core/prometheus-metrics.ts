/** Metrics in the text format of Prometheus, for processes that it scrapes: the bridge and the local run. */

export const PROMETHEUS_TEXT = 'text/plain; version=0.0.4; charset=utf-8';

export interface PrometheusMetric {
  readonly type: 'counter' | 'gauge';
  readonly help: string;
}

export type MetricLabels = Readonly<Record<string, string>>;

export class PrometheusMetrics<Name extends string> {
  readonly #metrics: Readonly<Record<Name, PrometheusMetric>>;
  /** By metric, then by the text of its labels. */
  readonly #samples = new Map<Name, Map<string, number>>();

  constructor(metrics: Readonly<Record<Name, PrometheusMetric>>) {
    this.#metrics = metrics;
  }

  add(name: Name, value: number, labels: MetricLabels = {}): void {
    const samples = this.#of(name);
    const key = textOf(labels);
    samples.set(key, (samples.get(key) ?? 0) + value);
  }

  set(name: Name, value: number, labels: MetricLabels = {}): void {
    this.#of(name).set(textOf(labels), value);
  }

  /** Metrics without a sample are left out. */
  text(): string {
    return [...this.#samples]
      .flatMap(([name, samples]) => {
        const { type, help } = this.#metrics[name];
        const lines = [...samples].map(([labels, value]) => `${name}${labels} ${value}`);
        return [`# HELP ${name} ${escaped(help)}`, `# TYPE ${name} ${type}`, ...lines.toSorted()];
      })
      .map((line) => `${line}\n`)
      .join('');
  }

  #of(name: Name): Map<string, number> {
    const samples = this.#samples.get(name) ?? new Map<string, number>();
    this.#samples.set(name, samples);
    return samples;
  }
}

function textOf(labels: MetricLabels): string {
  const texts = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value).replaceAll('"', '\\"')}"`);
  return texts.length === 0 ? '' : `{${texts.toSorted().join(',')}}`;
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
}
