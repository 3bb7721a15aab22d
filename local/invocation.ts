/** Runs a handler as Lambda does: with a context that reports the remaining time, and with its function's timeout. */
import type { Context } from 'aws-lambda';
import { type FunctionName, functions } from '../shared/bus/functions.ts';
import type { Clock } from './clock.ts';

/**
 * Rejects after the function's timeout. Unlike in Lambda, the handler itself is not stopped and may still have effects.
 * Its message is delivered again meanwhile, which is safe because all functions are idempotent.
 */
export async function invoke<T>(
  name: FunctionName,
  clock: Clock,
  handle: (context: Context) => Promise<T>,
): Promise<T> {
  const { timeoutSeconds } = functions[name];
  const end = clock.now() + timeoutSeconds * 1000;
  let cancel: () => void = () => undefined;
  const timeout = new Promise<never>((_, reject) => {
    cancel = clock.after(timeoutSeconds * 1000, () =>
      reject(new Error(`${name} was ended after ${timeoutSeconds} s, its timeout`)),
    );
  });
  try {
    return await Promise.race([handle(localContext(name, () => Math.max(0, end - clock.now()))), timeout]);
  } finally {
    cancel();
  }
}

/** The part of Lambda's context that handlers and middleware may read. */
export function localContext(
  functionName: string,
  getRemainingTimeInMillis: () => number = () => Number.POSITIVE_INFINITY,
): Context {
  return {
    functionName,
    functionVersion: 'local',
    invokedFunctionArn: `arn:aws:lambda:local:000000000000:function:${functionName}`,
    memoryLimitInMB: '0',
    awsRequestId: 'local',
    logGroupName: 'local',
    logStreamName: 'local',
    callbackWaitsForEmptyEventLoop: false,
    getRemainingTimeInMillis,
    done: () => undefined,
    fail: () => undefined,
    succeed: () => undefined,
  };
}
