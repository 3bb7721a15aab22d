/** Telemetry on CloudWatch by Powertools: JSON lines, and metrics in the embedded format. */
import { Logger } from '@aws-lambda-powertools/logger';
import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';
import { type LogCode, logCodes } from '../../model/log-codes.ts';
import type { Fields, Invocation, Telemetry } from '../../ports/telemetry.ts';

export class PowertoolsTelemetry implements Telemetry {
  readonly #logger = new Logger({ serviceName: 'evenkeel' });
  readonly #metrics = new Metrics({ namespace: 'Evenkeel', serviceName: 'evenkeel' });

  begin({ functionName, requestId }: Invocation): void {
    this.#logger.resetKeys();
    this.#logger.appendKeys({ function: functionName, requestId });
  }

  outcome(code: LogCode, fields: Fields): void {
    const { level, says } = logCodes[code];
    this.#logger[level](says, { code, ...fields });
  }

  /** Each with dimensions of its own, so that an alarm on one hub hears that hub. */
  count(metric: string, value: number, dimensions: Readonly<Record<string, string>> = {}): void {
    const single = this.#metrics.singleMetric();
    for (const [name, text] of Object.entries(dimensions)) single.addDimension(name, text);
    single.addMetric(metric, MetricUnit.Count, value);
  }
}
