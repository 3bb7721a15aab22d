/** The variants of holding reductions, each for one namespace, so that one run measures them all. */

import type { Transport } from '../../shared/kubernetes/client/transport.ts';
import { holdPolicy, holdWebhook } from '../../shared/manifests/holds.ts';
import type { ManifestTarget } from '../../shared/manifests/target.ts';
import { send } from '../bindings.ts';

export const ways = ['bare', 'policy', 'webhook'] as const;
export type AdmissionMethod = (typeof ways)[number];

const LABEL = 'evenkeel.dev/bench';
const GROUP = '/apis/admissionregistration.k8s.io';

interface Configuration {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec?: { readonly matchConstraints?: object; readonly policyName?: string };
  readonly webhooks?: readonly object[];
}

const collections: Readonly<Record<string, string>> = {
  MutatingAdmissionPolicy: `${GROUP}/v1beta1/mutatingadmissionpolicies`,
  MutatingAdmissionPolicyBinding: `${GROUP}/v1beta1/mutatingadmissionpolicybindings`,
  MutatingWebhookConfiguration: `${GROUP}/v1/mutatingwebhookconfigurations`,
};

export interface Ways {
  readonly namespaceOf: (way: AdmissionMethod) => string;
  close(): Promise<void>;
}

/** The shipped manifests, with another name and namespace selector. */
export async function setUp(transport: Transport, target: ManifestTarget, run: string): Promise<Ways> {
  const namespaceOf = (way: AdmissionMethod) => `evenkeel-bench-${run}-${way}`;
  const path = '/api/v1/namespaces';
  for (const way of ways) {
    const metadata = { name: namespaceOf(way), labels: { [LABEL]: `${run}-${way}` } };
    await send(transport, { method: 'POST', path, body: { apiVersion: 'v1', kind: 'Namespace', metadata } });
  }
  const made: string[] = [];
  const add = async (object: object, way: AdmissionMethod) => {
    const own = onlyFor(object as Configuration, run, way);
    const collection = collections[own.kind] ?? '';
    await send(transport, { method: 'POST', path: collection, body: own });
    made.push(`${collection}/${own.metadata.name}`);
  };
  for (const { object } of holdPolicy(target)) await add(object, 'policy');
  for (const { object } of holdWebhook(target)) await add(object, 'webhook');
  const paths = [...made, ...ways.map((way) => `${path}/${namespaceOf(way)}`)];
  return {
    namespaceOf,
    close: async () => {
      for (const each of paths) await transport.send({ method: 'DELETE', path: each });
    },
  };
}

function onlyFor(object: Configuration, run: string, way: AdmissionMethod): Configuration {
  const name = `${object.metadata.name}-bench-${run}`;
  const namespaceSelector = { matchLabels: { [LABEL]: `${run}-${way}` } };
  const { spec, webhooks } = object;
  return {
    ...object,
    metadata: { name },
    ...(spec && {
      spec: {
        ...spec,
        ...(spec.policyName !== undefined && { policyName: name }),
        ...(spec.matchConstraints && { matchConstraints: { ...spec.matchConstraints, namespaceSelector } }),
      },
    }),
    ...(webhooks && { webhooks: webhooks.map((webhook) => ({ ...webhook, namespaceSelector })) }),
  };
}
