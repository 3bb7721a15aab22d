import { afterEach, describe, expect, it, vi } from 'vitest';
import { PowertoolsTelemetry } from '../../../shared/aws/powertools-telemetry.ts';

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

describe('the telemetry for CloudWatch', () => {
  it('is one JSON line per outcome, with its code and its invocation', () => {
    const lines = listen();
    const telemetry = new PowertoolsTelemetry('evenkeel');
    telemetry.begin({ functionName: 'evenkeel-plan-rebalance', requestId: 'r-1' });
    telemetry.outcome('EK002', { reason: 'UnknownHub' });
    expect(lines()).toMatchObject([
      { level: 'ERROR', code: 'EK002', reason: 'UnknownHub', function: 'evenkeel-plan-rebalance', requestId: 'r-1' },
    ]);
  });

  it('is each count with dimensions of its own, in the embedded format', () => {
    const lines = listen();
    new PowertoolsTelemetry('evenkeel').count('ReschedulingOverdue', 3, { hub: 'karmada' });
    expect(lines()).toMatchObject([
      {
        service: 'evenkeel',
        ReschedulingOverdue: 3,
        hub: 'karmada',
        _aws: { CloudWatchMetrics: [{ Namespace: 'Evenkeel' }] },
      },
    ]);
  });

  it('names the deployment in every line and every metric, so that two deployments share no metric', () => {
    const lines = listen();
    for (const deployment of ['staging', 'production']) {
      const telemetry = new PowertoolsTelemetry(deployment);
      telemetry.outcome('EK002', { reason: 'UnknownHub' });
      telemetry.count('DeadLetters', 1);
      telemetry.count('DeadLetters', 1, { event: 'BindingChanged' });
    }
    const services = lines().map(({ service }) => service);
    // Lines and metrics come by two streams.
    expect(services.toSorted()).toEqual(['production', 'staging'].flatMap((name) => [name, name, name]));
    const dimensions = lines().flatMap(({ _aws: aws }) =>
      ((aws as { CloudWatchMetrics: { Dimensions: string[][] }[] } | undefined)?.CloudWatchMetrics ?? []).flatMap(
        ({ Dimensions }) => Dimensions,
      ),
    );
    expect(dimensions).toHaveLength(4);
    expect(dimensions.filter((each) => !each.includes('service'))).toEqual([]);
  });
});
