/** Asks a deployment by invoking its functions, for whoever has AWS credentials and leave to: the command line. */
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { Fault } from '../../model/fault.ts';
import { type Ask, operations } from '../../operator/operations.ts';
import { faultOf, type Refused } from '../../operator/refused.ts';
import { awsFault } from '../aws/aws-fault.ts';

/** Longer than a function may take: what it says in the end is worth more than an early guess. */
const TIMEOUT_MS = 130_000;

const functionOf = { question: 'answer-question', order: 'carry-out-order' } as const;

/** `deployment`: the name in cdk.json, with which every function's name begins. */
export function invokeOperator(deployment: string): Ask {
  const requestHandler = { connectionTimeout: 3000, requestTimeout: TIMEOUT_MS };
  // An order that is sent again may be carried out twice.
  const clients = {
    question: new LambdaClient({ requestHandler }),
    order: new LambdaClient({ requestHandler, maxAttempts: 1 }),
  };
  return async (name, input) => {
    const { kind } = operations[name];
    if (kind === 'practice')
      throw new Fault('terminal', 'a deployment has no practice clusters; name a local run with --api', {
        reason: 'UnknownOperation',
      });
    const FunctionName = `${deployment}-${functionOf[kind]}`;
    const Payload = JSON.stringify({ operation: name, input });
    const sent = await clients[kind].send(new InvokeCommand({ FunctionName, Payload })).catch((thrown: unknown) => {
      throw awsFault(`Lambda (${FunctionName})`, thrown);
    });
    const text = new TextDecoder().decode(sent.Payload);
    if (sent.FunctionError !== undefined)
      throw new Fault('retryable', `function ${FunctionName} failed; its log says why`, { reason: 'FunctionError' });
    const answer = JSON.parse(text) as { readonly answer?: unknown; readonly refused?: Refused };
    if (answer.refused !== undefined) throw faultOf(answer.refused);
    return answer.answer as never;
  };
}
