/** Builds the input for a plan of ElasticWorkloads from documents; throws one Fault that lists all problems. */
import { groupBy } from '../../shared/core/group-by.ts';
import { type AddOnScores, addOnPlacementScores } from '../../shared/elastic-workload/addon-score.ts';
import { type ElasticWorkload, elasticWorkloads } from '../../shared/elastic-workload/elastic-workload.ts';
import { elasticNameRule, elasticRules } from '../../shared/elastic-workload/elastic-workload-rules.ts';
import { type ManagedCluster, managedClusters } from '../../shared/elastic-workload/managed-cluster.ts';
import { manifestWorks, type Work } from '../../shared/elastic-workload/manifest-work.ts';
import {
  type ClusterPlacement,
  type PlacementSlice,
  placementDecisions,
  placements,
} from '../../shared/elastic-workload/placement-decision.ts';
import { type CustomKind, customKinds } from '../../shared/elastic-workload/scale-paths.ts';
import { targetLabel } from '../../shared/elastic-workload/target.ts';
import { keyText } from '../../shared/kubernetes/object-key.ts';
import type { Resource } from '../../shared/kubernetes/resource.ts';
import { USUAL_NAMESPACE } from '../hub-options.ts';
import { checkerOf } from './check-written.ts';
import type { HubDocument } from './read-documents.ts';
import { isUnseen, type TakenKind, takeDocuments, taking, takingChecked } from './take-documents.ts';

/** A ManifestWork, whose status may be missing. */
export interface GivenWork {
  readonly work: Work;
  readonly manifest: unknown;
  /** Whether its status contains a report of the managed cluster. */
  readonly isReported: boolean;
}

export interface ElasticInput {
  readonly workloads: readonly ElasticWorkload[];
  /** By keyText. */
  readonly placements: ReadonlyMap<string, ClusterPlacement>;
  readonly slices: readonly PlacementSlice[];
  /** By name. */
  readonly clusters: ReadonlyMap<string, ManagedCluster>;
  /** By name; works of one name are in the namespaces of their clusters. */
  readonly works: ReadonlyMap<string, readonly GivenWork[]>;
  /** ElasticWorkloads with the same target, by the target's label. */
  readonly claims: ReadonlyMap<string | undefined, readonly ElasticWorkload[]>;
  readonly customs: readonly CustomKind[];
  readonly scores: readonly AddOnScores[];
  readonly notes: readonly string[];
}

export function hasElastic(documents: readonly HubDocument[]): boolean {
  const groups: readonly string[] = elasticWorkloads.map(({ group }) => group);
  return documents.some(
    ({ object: { kind, apiVersion } }) =>
      kind === 'ElasticWorkload' && groups.includes(String(apiVersion).split('/')[0] ?? ''),
  );
}

export function elasticInputOf(documents: readonly HubDocument[], namespace = USUAL_NAMESPACE): ElasticInput {
  const collected = {
    workloads: [] as ElasticWorkload[],
    placements: new Map<string, ClusterPlacement>(),
    slices: [] as PlacementSlice[],
    clusters: new Map<string, ManagedCluster>(),
    works: [] as GivenWork[],
    customs: [] as CustomKind[],
    scores: [] as AddOnScores[],
  };
  const { workloads, slices, clusters, works, customs, scores } = collected;
  const kinds: readonly TakenKind[] = [
    ...elasticWorkloads.map((resource) => takesElastic(resource, workloads)),
    taking(placements, (placement) => collected.placements.set(keyText(placement), placement)),
    taking(placementDecisions, (slice) => slices.push(slice)),
    taking(managedClusters, (cluster, object) => clusters.set(cluster.name, withAvailability(cluster, object))),
    taking(manifestWorks, (work, object) => works.push(givenWork(work, object))),
    taking(customKinds, (custom) => customs.push(custom)),
    taking(addOnPlacementScores, (report) => scores.push(report)),
  ];
  const notes = takeDocuments(documents, { namespace, kinds });
  return {
    ...collected,
    works: groupBy(works, ({ work }) => work.name),
    claims: groupBy(workloads, ({ spec }) => targetLabel(spec)),
    notes,
  };
}

const path = (root: string) => `a path; write one like ${root}, without lists`;
const label = 'a DNS label (a-z, 0-9 and -); write one';

function takesElastic(resource: Resource<ElasticWorkload>, into: ElasticWorkload[]): TakenKind {
  const check = checkerOf({
    kind: resource.kind,
    plural: resource.plural,
    rules: [elasticNameRule('object'), ...elasticRules('object.spec')],
    parse: resource.parse,
    forms: {
      specReplicasPath: path('.spec.replicas'),
      readyReplicasPath: path('.status.readyReplicas'),
      spokeNamespace: label,
      resource: label,
      resourceName: 'the name of an AddOnPlacementScore (a-z, 0-9, - and .); write one',
    },
  });
  return takingChecked(resource, check, (elastic) => into.push(elastic));
}

/** A cluster without conditions is assumed to be available. */
function withAvailability(cluster: ManagedCluster, object: object): ManagedCluster {
  const { status } = object as { readonly status?: { readonly conditions?: unknown } | null };
  return status?.conditions == null ? { ...cluster, available: true } : cluster;
}

function givenWork(work: Work, object: object): GivenWork {
  const { spec, status } = object as {
    readonly spec?: { readonly workload?: { readonly manifests?: readonly unknown[] } };
    readonly status?: { readonly resourceStatus?: unknown } | null;
  };
  return {
    work,
    manifest: spec?.workload?.manifests?.[0],
    isReported: !isUnseen(object) || status?.resourceStatus != null,
  };
}
