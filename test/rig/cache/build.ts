/** Builds or installs all binaries of the given parts in advance: minutes the first time, no time afterwards. */
import type { Part } from '../command-line.ts';
import { dynamoDbLocal } from './dynamodb-local.ts';
import { type Binary, binary, karmadaFiles, kwokStages, ocmFiles } from './go-binaries.ts';
import { miniStack } from './ministack.ts';

const ofHub: readonly Binary[] = ['etcd', 'kube-apiserver', 'kube-controller-manager', 'kubectl'];

const ofKarmada: readonly Binary[] = [
  'karmada-aggregated-apiserver',
  'karmada-controller-manager',
  'karmada-scheduler',
  'karmada-scheduler-estimator',
  'karmada-webhook',
];

const ofMembers: readonly Binary[] = ['kube-scheduler', 'kwok'];

const ofOcm: readonly Binary[] = ['ocm-placement', 'ocm-registration', 'ocm-work'];

const makers: Readonly<Record<Part, () => Promise<void>>> = {
  hub: async () => {
    await all(ofHub);
    await karmadaFiles();
  },
  karmada: async () => {
    await makers.hub();
    await all(ofMembers);
    await all(ofKarmada);
    await kwokStages();
  },
  ocm: async () => {
    await makers.hub();
    await all(ofMembers);
    await kwokStages();
    await all(ofOcm);
    await ocmFiles();
  },
  aws: async () => {
    await makers.hub();
    await miniStack();
    await dynamoDbLocal();
  },
};

export async function build(parts: readonly Part[]): Promise<void> {
  for (const part of parts) await makers[part]();
}

/** One at a time: a Go build uses all cores. */
async function all(binaries: readonly Binary[]): Promise<void> {
  for (const name of binaries) await binary(name);
}
