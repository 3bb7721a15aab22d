import { expect, it } from 'vitest';
import { openLocalTable } from '../../../../shared/aws/dynamodb/local-table.ts';
import { type AwsAnswer, startAwsEndpoint } from '../../../fakes/aws-endpoint.ts';

it('a local table that is made is opened when it is active', async () => {
  const answers: AwsAnswer[] = [
    { error: 'ResourceNotFoundException' },
    { body: { TableDescription: { TableStatus: 'CREATING' } } },
    { body: { Table: { TableStatus: 'CREATING' } } },
    { body: { Table: { TableStatus: 'ACTIVE' } } },
  ];
  const endpoint = await startAwsEndpoint((_, index) => answers[index] ?? { error: 'InternalFailure' });
  const table = await openLocalTable(endpoint.config.endpoint);
  expect(endpoint.calls.map(({ operation }) => operation)).toEqual([
    'DescribeTable',
    'CreateTable',
    'DescribeTable',
    'DescribeTable',
  ]);
  table.close();
  await endpoint.close();
});
