/** The output of `evenkeel pause` about objects that wait for Evenkeel on the hub, and how to end the wait without it. */
import type { OutputOf } from '../../shared/console-api/operations.ts';
import { count } from '../../shared/core/count.ts';
import { aligned } from '../aligned.ts';

type HeldAnswer = OutputOf<'listHeld'>;

/** Lines to be printed; empty where nothing waits. */
export function heldLines({ reductions, elasticWorkloads }: HeldAnswer): readonly string[] {
  return [...reductionLines(reductions), ...finalizerLines(elasticWorkloads)];
}

function reductionLines(held: HeldAnswer['reductions']): readonly string[] {
  if (held.length === 0) return [];
  const rows = held.map(({ namespace, binding, cluster, replicas, assigned, until }) => [
    namespace || '-',
    binding,
    cluster,
    String(replicas),
    String(assigned),
    until ?? 'released',
  ]);
  const head = ['NAMESPACE', 'BINDING', 'CLUSTER', 'KEEPS', 'ASSIGNED', 'UNTIL'];
  return [
    '',
    'These replica reductions are held. While the hub is paused, each is released by the first write of its binding after UNTIL.',
    ...aligned([head, ...rows], { right: [3, 4] }),
    'Release them now: evenkeel release --all (by the kubeconfig of the hub), or before a pause: evenkeel pause --release-holds',
  ];
}

function finalizerLines(kept: HeldAnswer['elasticWorkloads']): readonly string[] {
  if (kept.length === 0) return [];
  const deleting = kept.filter((each) => each.deleting !== undefined);
  const commands = deleting.map(
    ({ group, namespace, name }) =>
      `  kubectl patch elasticworkloads.${group} -n ${namespace} ${name} --type=merge -p '{"metadata":{"finalizers":null}}'`,
  );
  const have = kept.length === 1 ? 'has' : 'have';
  return [
    '',
    `${count(kept.length, 'ElasticWorkload')} ${have} the finalizer evenkeel.dev/elastic-workload: deleting one takes effect when the hub is resumed.`,
    ...(deleting.length > 0
      ? [
          `${deleting.length} of them wait for that. To end the wait, which leaves their ManifestWorks to you:`,
          ...commands,
        ]
      : []),
  ];
}
