import { describe, expect, it } from 'vitest';
import { awsContext } from '../../../shared/runtime/aws-context.ts';

describe('the context of a deployed function', () => {
  it('has the settings of its environment, and a clock', () => {
    const { settings, now, newId, timeLeft, telemetry } = awsContext({
      EVENKEEL_DEPLOYMENT: 'staging',
      EVENKEEL_HUB_IN_FLIGHT: '3',
    });
    expect(settings.hubInFlight).toBe(3);
    expect(Math.abs(now() - Date.now())).toBeLessThan(1000);
    expect(newId()).not.toBe(newId());
    expect(timeLeft()).toBe(Number.POSITIVE_INFINITY);
    expect(Object.keys(telemetry)).toEqual([]);
  });

  it('names the variable that is missing', () => {
    expect(() => awsContext({})).toThrow('EVENKEEL_DEPLOYMENT is not set');
  });
});
