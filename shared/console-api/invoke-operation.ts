/** Calls a deployment's operator functions by Lambda invoke, for clients with AWS credentials: the command line. */
import { userInfo } from 'node:os';
import { InvokeCommand, LambdaClient, ResourceNotFoundException } from '@aws-sdk/client-lambda';
import { awsFault } from '../aws/aws-fault.ts';
import { Fault } from '../core/fault.ts';
import { type ErrorResponse, faultOf } from './error-response.ts';
import { type Ask, operations } from './operations.ts';
import type { Subject } from './subject.ts';

/** Longer than the function's timeout, so that its own error is returned. */
const TIMEOUT_MS = 130_000;

const functionOf = { query: 'run-query', command: 'run-command' } as const;

/** `deployment`: the name in cdk.json, the prefix of every function's name. */
export function invokeOperation(deployment: string): Ask {
  const requestHandler = { connectionTimeout: 3000, requestTimeout: TIMEOUT_MS };
  // A retried write operation might run twice.
  const clients = {
    query: new LambdaClient({ requestHandler }),
    command: new LambdaClient({ requestHandler, maxAttempts: 1 }),
  };
  return async (name, input, by = claimedByUser()) => {
    const { kind } = operations[name];
    if (kind === 'practice')
      throw new Fault('terminal', 'a deployment has no practice clusters; name a local run with --api', {
        reason: 'UnknownOperation',
      });
    const FunctionName = `${deployment}-${functionOf[kind]}`;
    const Payload = JSON.stringify({ operation: name, input, ...(kind === 'command' && { by }) });
    const sent = await clients[kind].send(new InvokeCommand({ FunctionName, Payload })).catch((thrown: unknown) => {
      if (thrown instanceof ResourceNotFoundException) throw noDeployment(deployment);
      throw awsFault(`Lambda (${FunctionName})`, thrown);
    });
    const text = new TextDecoder().decode(sent.Payload);
    if (sent.FunctionError !== undefined)
      throw new Fault('retryable', `function ${FunctionName} failed; see its log`, { reason: 'FunctionError' });
    const answer = JSON.parse(text) as { readonly answer?: unknown; readonly error?: ErrorResponse };
    if (answer.error !== undefined) throw faultOf(answer.error);
    return answer.answer as never;
  };
}

function noDeployment(deployment: string): Fault {
  const message = `there is no deployment ${deployment} in this account and region; name another with --deployment, or another region with AWS_REGION`;
  return new Fault('terminal', message, { reason: 'UnknownDeployment' });
}

/** The shell's user. The ARN of its AWS identity would need one more client and call, and CloudTrail records it anyway. */
function claimedByUser(): Subject {
  try {
    return { source: 'claimed', name: userInfo().username };
  } catch {
    // A container's user id may have no name.
    return { source: 'claimed', name: '' };
  }
}
