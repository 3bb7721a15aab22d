/** An AWS account with a deployment, over the wire: Secrets Manager, its two operator functions on a registry in memory, and subscriptions of log groups. */
import type { OperationCall } from '../../shared/console-api/operation-task.ts';
import type { AwsAnswer, AwsCall } from './aws-endpoint.ts';
import { type FakeSecrets, startFakeSecrets } from './secrets-manager.ts';
import { MemoryHubRegistry } from './stores/memory-hub-registry.ts';
import { World } from './world.ts';

export interface AwsAccount {
  readonly secrets: FakeSecrets;
  readonly world: World;
  readonly registry: MemoryHubRegistry;
  /** "LOG GROUP FILTER" → the ARN of the subscribed function. */
  readonly filters: Map<string, string>;
  /** The operations that the functions were asked for, with the hub. */
  readonly operations: readonly string[];
  /** Operations that the deployed version does not know. */
  unknown: readonly string[];
  close(): Promise<void>;
}

export async function startAwsAccount(deployment = 'evenkeel'): Promise<AwsAccount> {
  const world = new World();
  const registry = new MemoryHubRegistry();
  world.registry = registry;
  const filters = new Map<string, string>();
  const operations: string[] = [];
  const invoke = async ({ operation, input }: OperationCall, kind: 'query' | 'command'): Promise<AwsAnswer> => {
    operations.push(`${operation} ${String((input as { hub?: string } | undefined)?.hub)}`);
    if (account.unknown.includes(operation))
      return {
        body: { error: { status: 404, reason: 'UnknownOperation', error: `${operation} is not answered here` } },
      };
    return { body: (await world.answerers[kind]?.({ operation, input })) ?? {} };
  };
  const others = ({ operation, input }: AwsCall): Promise<AwsAnswer> | undefined => {
    const called = /^POST \/2015-03-31\/functions\/(.*)\/invocations$/.exec(operation)?.[1];
    if (called === `${deployment}-run-query`) return invoke(input as unknown as OperationCall, 'query');
    if (called === `${deployment}-run-command`) return invoke(input as unknown as OperationCall, 'command');
    if (called !== undefined) return Promise.resolve({ status: 404, error: 'ResourceNotFoundException' });
    const filter = `${String(input.logGroupName)} ${String(input.filterName)}`;
    if (operation === 'PutSubscriptionFilter') filters.set(filter, String(input.destinationArn));
    else if (operation !== 'DeleteSubscriptionFilter') return undefined;
    else if (!filters.delete(filter)) return Promise.resolve({ error: 'ResourceNotFoundException' });
    return Promise.resolve({ body: {} });
  };
  const secrets = await startFakeSecrets(others);
  const account: AwsAccount = {
    ...{ secrets, world, registry, filters, operations },
    unknown: [],
    close: () => secrets.endpoint.close(),
  };
  return account;
}
