/** Telemetry on CloudWatch by Powertools: JSON lines, and metrics in the embedded format. */
import { Logger } from '@aws-lambda-powertools/logger';
import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';
import { type LogCode, logCodes } from '../../model/log-codes.ts';
import type { Fields, Invocation, Telemetry } from '../../ports/telemetry.ts';

const WARNINGS: readonly LogCode[] = ['EK001', 'EK101', 'EK200', 'EK300'];
const ERRORS: readonly LogCode[] = ['EK002', 'EK201'];

export class PowertoolsTelemetry implements Telemetry {
  readonly #logger = new Logger({ serviceName: 'evenkeel' });
  readonly #metrics = new Metrics({ namespace: 'Evenkeel', serviceName: 'evenkeel' });

  begin({ functionName, requestId }: Invocation): void {
    this.#logger.resetKeys();
    this.#logger.appendKeys({ function: functionName, requestId });
  }

  outcome(code: LogCode, fields: Fields): void {
    const level = ERRORS.includes(code) ? 'error' : WARNINGS.includes(code) ? 'warn' : 'info';
    this.#logger[level](logCodes[code], { code, ...fields });
  }

  /** Each with dimensions of its own, so that an alarm on one hub hears that hub. */
  count(metric: string, value: number, dimensions: Readonly<Record<string, string>> = {}): void {
    const single = this.#metrics.singleMetric();
    for (const [name, text] of Object.entries(dimensions)) single.addDimension(name, text);
    single.addMetric(metric, MetricUnit.Count, value);
  }
}
