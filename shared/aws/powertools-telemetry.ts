/** Telemetry on CloudWatch by Powertools: JSON lines, and metrics in the embedded format. */
import { Logger } from '@aws-lambda-powertools/logger';
import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';
import { type LogCode, logCodes } from '../core/log-codes.ts';
import type { Invocation, LogFields, Telemetry } from '../core/telemetry.ts';
import { activeTraceId } from '../core/tracing.ts';

export class PowertoolsTelemetry implements Telemetry {
  readonly #logger: Logger;
  readonly #metrics: Metrics;

  /** The deployment's name is the `service` of every line and the dimension `service` of every metric. */
  constructor(deployment: string) {
    this.#logger = new Logger({ serviceName: deployment });
    this.#metrics = new Metrics({ namespace: 'Evenkeel', serviceName: deployment });
  }

  begin({ functionName, requestId }: Invocation): void {
    this.#logger.resetKeys();
    this.#logger.appendKeys({ function: functionName, requestId });
  }

  outcome(code: LogCode, fields: LogFields): void {
    const { level, description } = logCodes[code];
    const traceId = activeTraceId();
    this.#logger[level](description, { code, ...fields, ...(traceId !== undefined && { traceId }) });
  }

  /** Each metric has its own dimensions, so that an alarm can filter by hub. */
  count(metric: string, value: number, dimensions: Readonly<Record<string, string>> = {}): void {
    const single = this.#metrics.singleMetric();
    for (const [name, text] of Object.entries(dimensions)) single.addDimension(name, text);
    single.addMetric(metric, MetricUnit.Count, value);
  }
}
