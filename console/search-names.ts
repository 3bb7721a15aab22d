/** Decides which names of a hub a text finds. */
import type { FleetAnswer } from '../shared/console-api/operations/fleet.ts';
import { type PageRoute, routeOf } from './route.ts';

export interface FoundName {
  /** "workload", "cluster", "task" or "policy". */
  readonly kind: string;
  readonly name: string;
  readonly route: Exclude<PageRoute, { page: 'unknown' }>;
}

export interface NamedObjects {
  readonly fleet: FleetAnswer | undefined;
  readonly tasks: readonly { readonly name: string }[] | undefined;
  readonly policies: readonly { readonly name: string }[] | undefined;
}

const MOST = 12;

export function namesOfHub(hub: string, { fleet, tasks = [], policies = [] }: NamedObjects): readonly FoundName[] {
  const { clusters = [], workloads = [] } = fleet ?? {};
  return [
    ...clusters.map(({ name }) => ({ kind: 'cluster', name, route: { page: 'cluster', hub, cluster: name } as const })),
    ...policies.map(({ name }) => ({ kind: 'policy', name, route: { page: 'policy', hub, name } as const })),
    ...tasks.map(({ name }) => ({ kind: 'task', name, route: { page: 'task', hub, name } as const })),
    ...workloads.map((workload) => {
      const { namespace, name } = workload;
      const of = namespace === '' ? name : `${namespace}/${name}`;
      return { kind: workload.kind, name: of, route: routeOf(hub, workload) };
    }),
  ];
}

/** Those whose name begins with the text before those that contain it; none for an empty text. */
export function foundNames(names: readonly FoundName[], text: string): readonly FoundName[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return [];
  const begins: FoundName[] = [];
  const contains: FoundName[] = [];
  for (const each of names) {
    const name = each.name.toLowerCase();
    if (name.startsWith(wanted) || name.includes(`/${wanted}`)) begins.push(each);
    else if (contains.length < MOST && name.includes(wanted)) contains.push(each);
    if (begins.length === MOST) break;
  }
  return [...begins, ...contains].slice(0, MOST);
}
