import { afterEach, describe, expect, it, vi } from 'vitest';
import { PowertoolsTelemetry } from '../../../shared/adapters/powertools/powertools-telemetry.ts';

/** Lines the process writes for CloudWatch, as JSON. */
function listen(): () => Record<string, unknown>[] {
  const spies = [vi.spyOn(process.stdout, 'write'), vi.spyOn(process.stderr, 'write')];
  for (const spy of spies) spy.mockImplementation(() => true);
  const text = () => spies.flatMap((spy) => spy.mock.calls.map(([part]) => String(part))).join('');
  return () =>
    text()
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as Record<string, unknown>);
}

afterEach(() => vi.restoreAllMocks());

describe('what CloudWatch hears', () => {
  it('is one JSON line an outcome, with its code and the invocation it belongs to', () => {
    const lines = listen();
    const telemetry = new PowertoolsTelemetry();
    telemetry.begin({ functionName: 'evenkeel-plan-rebalance', requestId: 'r-1' });
    telemetry.outcome('EK002', { reason: 'UnknownHub' });
    expect(lines()).toMatchObject([
      { level: 'ERROR', code: 'EK002', reason: 'UnknownHub', function: 'evenkeel-plan-rebalance', requestId: 'r-1' },
    ]);
  });

  it('is each count with dimensions of its own, in the embedded format', () => {
    const lines = listen();
    new PowertoolsTelemetry().count('ReschedulingOverdue', 3, { hub: 'karmada' });
    expect(lines()).toMatchObject([
      { ReschedulingOverdue: 3, hub: 'karmada', _aws: { CloudWatchMetrics: [{ Namespace: 'Evenkeel' }] } },
    ]);
  });
});
