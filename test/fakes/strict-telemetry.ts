/**
 * Telemetry of the simulated worlds: rejects a metric whose name or dimensions no alarm and no widget reads, and a log line without the
 * fields by which an operator finds what it is about. test/infra/sent-metrics.test.ts compares the table of metrics with the infrastructure.
 */
import { LocalTelemetry } from '../../local/telemetry.ts';
import type { LogCode } from '../../shared/core/log-codes.ts';
import { type MetricName, metrics } from '../../shared/core/metrics.ts';
import type { LogFields } from '../../shared/core/telemetry.ts';

const REJECTED = ['reason', 'retryClass', 'error'];

/** Code → fields that each of its lines has. */
const fieldsOf: Readonly<Record<LogCode, readonly string[]>> = {
  EK000: ['event', 'reason'],
  EK001: [...REJECTED, 'delivery'],
  EK002: [...REJECTED, 'delivery'],
  EK003: [...REJECTED, 'delivery', 'event'],
  EK004: [...REJECTED, 'delivery', 'event', 'hub'],
  EK005: ['spans', 'error'],
  EK100: ['hub', 'events', 'admitted', 'ignored', 'unreadable'],
  EK101: ['reason', 'bytes'],
  EK103: REJECTED,
  EK110: ['hub', 'withKey'],
  EK200: ['hub', 'inFlight'],
  EK201: ['hub', 'reason', 'error'],
  EK202: ['hub', 'reason', 'error'],
  EK203: ['reason', 'error'],
  EK204: ['hub', 'feature', 'flag', 'object'],
  EK300: ['hub', 'name', 'waiting', 'first'],
  EK310: ['hub', 'cluster', 'reason', 'error'],
  EK311: ['hub', 'binding', 'reason', 'error'],
  EK312: ['hub', 'reason', 'error'],
  EK320: ['hub', 'policy', 'run', 'error'],
  EK321: ['hub', 'policy', 'error'],
  EK330: ['hub', 'binding', 'cluster', 'reason'],
  EK331: ['hub', 'overdue', 'since'],
  EK340: ['hub', 'elasticWorkload', 'reason', 'error'],
  EK400: ['hub', 'kind', 'events'],
  EK401: ['hub', 'kind', 'resourceVersion'],
  EK402: ['hub', 'reason', 'error'],
  EK403: ['hub', 'reason', 'leader'],
  EK404: ['hub', 'kind'],
  EK500: ['operation', 'by'],
  EK501: ['operation', 'by', 'reason', 'error'],
};

export class StrictTelemetry extends LocalTelemetry {
  override outcome(code: LogCode, fields: LogFields): void {
    const missing = fieldsOf[code].filter((name) => fields[name] === undefined || fields[name] === '');
    if (missing.length > 0) throw new Error(`${code} is logged without ${missing.join(', ')}`);
    super.outcome(code, fields);
  }

  override count(metric: MetricName, value: number, dimensions: Readonly<Record<string, string>> = {}): void {
    const names = Object.keys(dimensions).sort().join(', ');
    const known =
      Object.hasOwn(metrics, metric) && metrics[metric].dimensions.some((each) => each.join(', ') === names);
    if (!known) throw new Error(`nothing reads the metric ${metric} with dimensions (${names})`);
    if (Object.values(dimensions).includes('')) throw new Error(`a dimension of the metric ${metric} is empty`);
    super.count(metric, value);
  }
}
