/** A client of the operator functions that calls them through the Lambda API with its own credentials. */
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import type { ErrorResponse } from '../../../../shared/console-api/error-response.ts';
import type { InputOf, OperationName, OutputOf } from '../../../../shared/console-api/operations.ts';
import { ACCOUNT_ID, type AwsEmulator, type Credentials, REGION } from '../../parts/aws-emulator.ts';
import { userWith } from './principals.ts';

export const queries = 'evenkeel-run-query';
export const commands = 'evenkeel-run-command';

type OperatorFunction = typeof queries | typeof commands;

export class Caller {
  readonly credentials: Credentials;
  readonly #client: LambdaClient;

  private constructor(emulator: AwsEmulator, credentials: Credentials) {
    this.credentials = credentials;
    this.#client = new LambdaClient({ ...emulator.client(credentials), maxAttempts: 1 });
  }

  /** A new IAM user that may only invoke these functions. */
  static async withAccessTo(emulator: AwsEmulator, name: string, may: readonly OperatorFunction[]): Promise<Caller> {
    const grants = may.map((each) => ({
      Action: 'lambda:InvokeFunction',
      Resource: `arn:aws:lambda:${REGION}:${ACCOUNT_ID}:function:${each}`,
    }));
    return new Caller(emulator, await userWith(emulator, name, grants));
  }

  async ask<N extends OperationName>(operation: N, input: InputOf<N>): Promise<OutputOf<N>> {
    return (await this.#invoke(queries, { operation, input })) as OutputOf<N>;
  }

  async command<N extends OperationName>(operation: N, input: InputOf<N>): Promise<OutputOf<N>> {
    return (await this.#invoke(commands, { operation, input })) as OutputOf<N>;
  }

  async #invoke(FunctionName: OperatorFunction, call: object): Promise<unknown> {
    const sent = await this.#client.send(new InvokeCommand({ FunctionName, Payload: JSON.stringify(call) }));
    const text = new TextDecoder().decode(sent.Payload);
    if (sent.FunctionError !== undefined) throw new Error(`${FunctionName} failed: ${text}`);
    const { answer, error } = JSON.parse(text) as { answer?: unknown; error?: ErrorResponse };
    if (error !== undefined) throw new Error(`${error.status} ${error.reason}: ${error.error}`);
    return answer;
  }
}
