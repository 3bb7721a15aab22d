/** The clusters of EC2 instances by their tags, over the wire. */
import { afterEach, expect, it } from 'vitest';
import { TaggedInstances } from '../../../shared/aws/tagged-instances.ts';
import { type AwsAnswer, type AwsCall, type AwsEndpoint, startAwsEndpoint } from '../../fakes/aws-endpoint.ts';

let endpoint: AwsEndpoint | undefined;
afterEach(async () => {
  await endpoint?.close();
});

async function instances(answer: (call: AwsCall, index: number) => AwsAnswer) {
  endpoint = await startAwsEndpoint(answer);
  const { endpoint: url, credentials } = endpoint.config;
  return new TaggedInstances({ endpoint: url, credentials, maxAttempts: 1 });
}

const place = { account: '111122223333', region: 'cn-north-1' };
const arnOf = (id: string) => `arn:aws-cn:ec2:cn-north-1:111122223333:instance/${id}`;

it('asks for 100 instances in a request, by their ARNs, and leaves out those without a tag of a cluster', async () => {
  const tagged = await instances(({ input }) => {
    const { ResourceARNList: arns } = input as { ResourceARNList: string[] };
    const list = arns.map((ResourceARN, i) => ({
      ResourceARN,
      Tags: i % 2 === 0 ? [{ Key: 'aws:eks:cluster-name', Value: 'prod' }] : [{ Key: 'Name', Value: 'x' }],
    }));
    return { body: { ResourceTagMappingList: list } };
  });
  const ids = Array.from({ length: 150 }, (_, i) => `i-${i}`);
  const found = await tagged.clustersOf(place, ids);
  expect([found.size, found.get('i-0'), found.has('i-1')]).toEqual([75, 'prod', false]);
  const asked = endpoint?.calls.map(({ operation, input }) => [operation, (input.ResourceARNList as string[]).length]);
  expect(asked?.sort()).toEqual([
    ['GetResources', 100],
    ['GetResources', 50],
  ]);
  expect(endpoint?.calls.flatMap(({ input }) => input.ResourceARNList)).toContain(arnOf('i-149'));
});

it('reports throttling as a fault that is retried', async () => {
  const tagged = await instances(() => ({ error: 'ThrottledException' }));
  await expect(tagged.clustersOf(place, ['i-1'])).rejects.toMatchObject({ retryClass: 'retryable' });
});
