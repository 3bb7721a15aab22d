/** Decides which workloads a person means by names as kubectl takes them: KIND/NAME, KIND/NAMESPACE/NAME, or KIND NAME. */
import type { ObjectKey } from '../../shared/model/object-key.ts';
import { wrong } from '../manifests/target.ts';

export interface NamedWorkload {
  /** As it was written. */
  readonly text: string;
  /** The names that its binding may have, the likeliest first. */
  readonly bindings: readonly ObjectKey[];
}

/** kubectl's short names of what is propagated most. */
const SHORT: Readonly<Record<string, string>> = {
  deploy: 'deployment',
  sts: 'statefulset',
  ds: 'daemonset',
  rs: 'replicaset',
  cj: 'cronjob',
  po: 'pod',
  svc: 'service',
  ing: 'ingress',
  cm: 'configmap',
  sa: 'serviceaccount',
  pvc: 'persistentvolumeclaim',
  ns: 'namespace',
};

/** `namespace`: where names without one are. */
export function namedWorkloads(
  words: readonly string[],
  { given, usual }: { readonly given: string | undefined; readonly usual: string },
): readonly NamedWorkload[] {
  return joined(words).map((text) => {
    const [kind = '', second = '', third, ...more] = text.split('/');
    if (kind === '' || second === '' || third === '' || more.length > 0)
      throw wrong(`${JSON.stringify(text)} is no workload; write KIND/NAME or KIND/NAMESPACE/NAME (deployment/web)`);
    if (third !== undefined && given !== undefined && given !== second)
      throw wrong(`${text} is in namespace ${second}, and -n says ${given}; leave one of the two out`);
    const namespace = third === undefined ? (given ?? usual) : second;
    const name = (third ?? second).replaceAll(':', '.').toLowerCase();
    const names = kindsMeant(kind).map((each) => `${name}-${each}`);
    const namespaced = names.map((each) => ({ namespace, name: each }));
    return { text, bindings: [...namespaced, ...names.map((each) => ({ namespace: '', name: each }))] };
  });
}

/** "deployment web shop" as kubectl takes it: each name after the kind. */
function joined(words: readonly string[]): readonly string[] {
  const [kind, ...names] = words;
  if (kind === undefined || words.some((word) => word.includes('/'))) return words;
  if (names.length === 0) throw wrong(`${JSON.stringify(kind)} is no workload; write KIND/NAME (deployment/${kind})`);
  return names.map((name) => `${kind}/${name}`);
}

/** "Deployments.apps" is a deployment; a kind that itself ends in s ("Ingress") is tried as it stands first. */
function kindsMeant(word: string): readonly string[] {
  const kind = (word.split('.')[0] ?? '').toLowerCase();
  const short = SHORT[kind];
  if (short !== undefined) return [short];
  const singular = [kind.replace(/ies$/, 'y'), kind.replace(/(s|x|ch|sh)es$/, '$1'), kind.replace(/s$/, '')];
  return [...new Set([kind, ...singular])];
}
