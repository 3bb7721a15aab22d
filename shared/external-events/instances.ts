/** EC2 instances of an event. */

/** An event names instances by their ids only. */
export interface Instances {
  /** The Kubernetes cluster of each instance, by its tags, by id; without those that have no such tag, or are not found. */
  clustersOf(place: InstancePlace, instances: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

export interface InstancePlace {
  readonly account: string;
  readonly region: string;
}

interface Tag {
  readonly Key?: string | undefined;
  readonly Value?: string | undefined;
}

/** EKS sets the first on nodes of managed node groups, its tools the second; the third is that of every cluster on AWS. */
const NAMES = ['aws:eks:cluster-name', 'eks:cluster-name'];
const OWNED = 'kubernetes.io/cluster/';

export function clusterOfTags(tags: readonly Tag[]): string | undefined {
  const named = NAMES.flatMap((name) => tags.find(({ Key }) => Key === name)?.Value ?? []);
  const owned = tags.flatMap(({ Key = '' }) => (Key.startsWith(OWNED) ? [Key.slice(OWNED.length)] : []));
  return [...named, ...owned].find((name) => name !== '');
}
