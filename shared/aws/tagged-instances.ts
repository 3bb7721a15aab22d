/** The clusters of EC2 instances by their tags, of any region, from the Resource Groups Tagging API: one request for 100 instances. */
import { GetResourcesCommand, ResourceGroupsTaggingAPIClient } from '@aws-sdk/client-resource-groups-tagging-api';
import { clusterOfTags, type InstancePlace, type Instances } from '../external-events/instances.ts';
import { awsFault } from './aws-fault.ts';
import { clientConfig } from './client-config.ts';

const PER_REQUEST = 100;

export class TaggedInstances implements Instances {
  readonly #clients = new Map<string, ResourceGroupsTaggingAPIClient>();
  readonly #config: object;

  constructor(config: object = clientConfig) {
    this.#config = config;
  }

  async clustersOf(place: InstancePlace, instances: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const chunks = Array.from({ length: Math.ceil(instances.length / PER_REQUEST) }, (_, i) =>
      instances.slice(i * PER_REQUEST, (i + 1) * PER_REQUEST),
    );
    const found = await Promise.all(chunks.map((chunk) => this.#chunk(place, chunk)));
    return new Map(found.flat());
  }

  async #chunk({ account, region }: InstancePlace, instances: readonly string[]) {
    const client = this.#clients.get(region) ?? new ResourceGroupsTaggingAPIClient({ ...this.#config, region });
    this.#clients.set(region, client);
    const arn = `arn:${partitionOf(region)}:ec2:${region}:${account}:instance/`;
    const command = new GetResourcesCommand({ ResourceARNList: instances.map((id) => `${arn}${id}`) });
    const answer = await client.send(command).catch((thrown: unknown) => {
      throw awsFault('Resource Groups Tagging', thrown);
    });
    return (answer.ResourceTagMappingList ?? []).flatMap(({ ResourceARN = '', Tags = [] }) => {
      const cluster = clusterOfTags(Tags);
      return cluster === undefined ? [] : [[ResourceARN.slice(ResourceARN.lastIndexOf('/') + 1), cluster] as const];
    });
  }
}

function partitionOf(region: string): string {
  if (region.startsWith('cn-')) return 'aws-cn';
  return region.startsWith('us-gov-') ? 'aws-us-gov' : 'aws';
}

export function awsInstances(): Instances {
  return new TaggedInstances();
}
