/** A priority level for Evenkeel in the hub's API server, so that its requests and those of other clients do not starve each other. */
import type { ManifestTarget } from './target.ts';
import type { PrintedManifest } from './to-yaml.ts';

const GROUP = 'flowcontrol.apiserver.k8s.io/v1';

/**
 * As many shares as the API server gives the system's own requests: with the shares it comes with (245) and its 600
 * seats, 65 of them. Half may be borrowed by other levels while this one is idle.
 */
const SHARES = 30;
const LENDABLE_PERCENT = 50;

/** Before service-accounts (9000), which all accounts share; after the system's own levels (up to 900). */
const PRECEDENCE = 1000;

export function priority({ account }: ManifestTarget): readonly PrintedManifest[] {
  const { name, namespace } = account;
  const level = {
    apiVersion: GROUP,
    kind: 'PriorityLevelConfiguration',
    metadata: { name },
    spec: {
      type: 'Limited',
      limited: {
        nominalConcurrencyShares: SHARES,
        lendablePercent: LENDABLE_PERCENT,
        limitResponse: { type: 'Queue', queuing: { queues: 16, handSize: 4, queueLengthLimit: 50 } },
      },
    },
  };
  const schema = {
    apiVersion: GROUP,
    kind: 'FlowSchema',
    metadata: { name },
    spec: {
      priorityLevelConfiguration: { name },
      matchingPrecedence: PRECEDENCE,
      rules: [
        {
          subjects: [{ kind: 'ServiceAccount', serviceAccount: { name, namespace } }],
          resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true, namespaces: ['*'] }],
        },
      ],
    },
  };
  return [{ object: level }, { object: schema }];
}
