import { describe, expect, it } from 'vitest';
import { errorResponseOf, faultOf, notFound } from '../../../shared/console-api/error-response.ts';
import { Fault } from '../../../shared/core/fault.ts';

describe('the error of an operation', () => {
  it.each([
    ['terminal', 'InvalidInput', 400],
    ['terminal', 'NotFound', 404],
    ['retryable', 'Conflict', 409],
    ['terminal', 'InvalidConnection', 500],
    ['terminal', 'constructor', 500],
    ['retryable', 'HubUnreachable', 503],
    ['limited', 'ThrottlingException', 503],
  ] as const)('that is %s with the reason %s has the status %i', (retryClass, reason, status) => {
    expect(errorResponseOf(new Fault(retryClass, 'why', { reason }))).toEqual({ status, reason, error: 'why' });
  });

  it.each([
    [503, 'retryable'],
    [500, 'terminal'],
    [404, 'terminal'],
  ])('with the status %i is a fault that is %s', (status, retryClass) => {
    const fault = { retryClass, reason: 'R', message: 'why' };
    expect(faultOf({ status, reason: 'R', error: 'why' })).toMatchObject(fault);
  });

  it('about an object that does not exist is terminal, and has the status 404', () => {
    expect(notFound('there is no run').retryClass).toBe('terminal');
    expect(errorResponseOf(notFound('there is no run'))).toEqual({
      status: 404,
      reason: 'NotFound',
      error: 'there is no run',
    });
  });
});
