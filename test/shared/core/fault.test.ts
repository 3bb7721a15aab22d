import { describe, expect, it } from 'vitest';
import { asFault, Fault } from '../../../shared/core/fault.ts';

describe('a fault', () => {
  it('keeps its retryClass, its reason, its cause and its retry delay', () => {
    const cause = new Error('socket closed');
    const fault = new Fault('limited', 'the hub is throttling', {
      reason: 'TooManyRequests',
      retryAfterMs: 7000,
      cause,
    });
    const { name, message, retryClass, reason, retryAfterMs } = fault;
    expect({ name, message, retryClass, reason, retryAfterMs }).toEqual({
      name: 'Fault',
      message: 'the hub is throttling',
      retryClass: 'limited',
      reason: 'TooManyRequests',
      retryAfterMs: 7000,
    });
    expect(fault.cause).toBe(cause);
  });

  it('is read as it is', () => {
    const fault = new Fault('terminal', 'x', { reason: 'X' });
    expect(asFault(fault)).toBe(fault);
  });

  it.each([
    ['an unclassified error', new TypeError('x is undefined'), 'TypeError: x is undefined'],
    ['a text', 'oops', 'something that is not an Error was thrown'],
    ['nothing', undefined, 'something that is not an Error was thrown'],
  ])('made of %s may be tried again, and keeps it as the cause', (_what, thrown, message) => {
    const fault = asFault(thrown);
    expect([fault.retryClass, fault.reason, fault.message]).toEqual(['retryable', 'Unclassified', message]);
    expect(fault.cause).toBe(thrown);
  });
});
