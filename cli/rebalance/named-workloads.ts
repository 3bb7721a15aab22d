/** Decides which workloads the arguments name, in kubectl's forms: KIND/NAME, KIND/NAMESPACE/NAME, or KIND NAME. */
import { invalidOption } from '../../shared/core/fault.ts';
import { ownValue } from '../../shared/core/own-value.ts';
import type { ObjectKey } from '../../shared/kubernetes/object-key.ts';

export interface NamedWorkload {
  /** As typed. */
  readonly text: string;
  /** Possible names of its binding, the likeliest first. */
  readonly bindings: readonly ObjectKey[];
}

/** kubectl's short names of the kinds that are propagated most. */
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

/** `namespace`: for names without one. */
export function namedWorkloads(
  words: readonly string[],
  { given, usual }: { readonly given: string | undefined; readonly usual: string },
): readonly NamedWorkload[] {
  return joined(words).map((text) => {
    const [kind = '', second = '', third, ...more] = text.split('/');
    if (kind === '' || second === '' || third === '' || more.length > 0)
      throw invalidOption(
        `${JSON.stringify(text)} is no workload; write KIND/NAME or KIND/NAMESPACE/NAME (deployment/web)`,
      );
    if (third !== undefined && given !== undefined && given !== second)
      throw invalidOption(`${text} is in namespace ${second}, and -n is ${given}; leave one of the two out`);
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
  if (names.length === 0)
    throw invalidOption(`${JSON.stringify(kind)} is no workload; write KIND/NAME (deployment/${kind})`);
  return names.map((name) => `${kind}/${name}`);
}

/** "Deployments.apps" is a deployment; a kind that itself ends in s ("Ingress") is first matched as typed. */
export function kindsMeant(word: string): readonly string[] {
  const kind = (word.split('.')[0] ?? '').toLowerCase();
  const short = ownValue(SHORT, kind);
  if (short !== undefined) return [short];
  const singular = [kind.replace(/ies$/, 'y'), kind.replace(/(s|x|ch|sh)es$/, '$1'), kind.replace(/s$/, '')];
  return [...new Set([kind, ...singular])];
}
