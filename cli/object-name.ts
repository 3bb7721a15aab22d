import type { Resource } from '../shared/kubernetes/resource.ts';

/** "clusterdrain.evenkeel.dev/member1", as kubectl prints it. */
export function objectName({ kind, group }: Pick<Resource<unknown>, 'kind' | 'group'>, name: string): string {
  return `${kind.toLowerCase()}.${group}/${name}`;
}
