/** Held reductions on the deployed stacks: the hub's API server holds them, and audit events and one-time schedules trigger the functions that release them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ReductionDue } from '../../../../shared/bus/catalogue.ts';
import { scheduleName } from '../../../../shared/core/digest.ts';
import {
  GRACE_PERIOD,
  QUEUE,
  REDUCTION_STRATEGY,
  STRATEGY_FROM,
} from '../../../../shared/graceful-reduction/replica-reduction.ts';
import { type Held, statusOf } from '../../../functions/descheduler/scene.ts';
import type { Meta } from '../api.ts';
import { bindingsPath, until } from '../hub-client.ts';
import { type Deployed, HUB, scheduleCalled, startDeployed } from './deployed.ts';
import { clustersWith, withoutClusters } from './estimated.ts';
import { spread, turn } from './policies.ts';

const NAME = `graceful-${Date.now()}`;
const CLUSTERS = ['g1', 'g2'];
const BEFORE: Held = { g1: [4, 4] };

interface Binding {
  readonly metadata: Meta & { readonly generation: number; readonly annotations?: Readonly<Record<string, string>> };
  readonly spec: { readonly requiredBy?: readonly object[]; readonly suspension?: object };
}

let deployed: Deployed;

beforeAll(async () => {
  deployed = await startDeployed();
  await clustersWith(deployed, { g1: 30, g2: 30 });
  for (const cluster of CLUSTERS) await turn(deployed, cluster, 'healthy');
});

afterAll(() => withoutClusters(deployed, CLUSTERS));

const pathOf = (namespace: string) => `${bindingsPath(namespace)}/web-deployment`;

/** A binding `web` with 4 replicas on g1 and the strategy annotation; then all replicas are assigned to g2. */
async function move(namespace: string, annotations: object): Promise<Binding> {
  await spread(deployed, namespace, { names: ['web'], held: BEFORE, over: CLUSTERS });
  const requested = { [REDUCTION_STRATEGY]: 'DelayWorkDeletion', ...annotations };
  await deployed.client.merge(pathOf(namespace), { metadata: { annotations: requested } });
  return deployed.client.merge<Binding>(pathOf(namespace), { spec: { clusters: [{ name: 'g2', replicas: 4 }] } });
}

function queueOf({ metadata }: Binding): Readonly<Record<string, Record<string, unknown>>> {
  const entries = Object.entries(metadata.annotations ?? {}).filter(([name]) => name.startsWith(QUEUE));
  return Object.fromEntries(
    entries.map(([name, text]) => [name.slice(QUEUE.length), JSON.parse(text) as Record<string, unknown>]),
  );
}

function bindingOnce(namespace: string, wanted: (binding: Binding) => boolean): Promise<Binding> {
  return until(`the binding of ${namespace} is as wanted`, async () => {
    const binding = await deployed.client.get<Binding>(pathOf(namespace));
    return wanted(binding) ? binding : undefined;
  });
}

/** The messages of Events with this reason. A function creates an Event after the write that it describes. */
function eventMessages(namespace: string, wanted: string): Promise<readonly string[]> {
  return until(`${wanted} is reported by an Event in ${namespace}`, async () => {
    const events = await deployed.client.list<{ reason: string; message: string }>(
      `/api/v1/namespaces/${namespace}/events`,
    );
    const messages = events.filter(({ reason }) => reason === wanted).map(({ message }) => message);
    return messages.length === 0 ? undefined : messages;
  });
}

describe('a reduction on a hub whose functions are deployed', () => {
  it('is held in the write that makes it, recorded and limited by a schedule, and released when the replacements are ready', async () => {
    const written = await move(NAME, {});
    expect(queueOf(written)).toEqual({ g1: { replicas: 4, creationTimestamp: expect.any(String) as string } });
    expect(written.spec.requiredBy).toHaveLength(1);
    const noted = await bindingOnce(NAME, (binding) => queueOf(binding).g1?.gracePeriodSeconds !== undefined);
    expect(queueOf(noted).g1).toMatchObject({ replicas: 4, gracePeriodSeconds: 600 });
    const { uid } = noted.metadata;
    expect(await scheduleCalled(deployed, scheduleName('reduction', { hub: HUB, uid }))).toMatchObject({
      State: 'ENABLED',
    });
    await deployed.client.merge(`${pathOf(NAME)}/status`, { status: statusOf({ g1: [4, 4], g2: [4, 4] }) });
    const released = await bindingOnce(NAME, (binding) => Object.keys(queueOf(binding)).length === 0);
    expect(released.spec.requiredBy ?? []).toEqual([]);
  });

  it('is released by its schedule at the end of its grace period', async () => {
    const namespace = `${NAME}-late`;
    await move(namespace, { [GRACE_PERIOD]: '5' });
    await deployed.client.merge(`${pathOf(namespace)}/status`, { status: statusOf({ g1: [4, 4], g2: [4, 1] }) });
    await bindingOnce(namespace, (binding) => queueOf(binding).g1?.gracePeriodSeconds !== undefined);
    await bindingOnce(namespace, (binding) => Object.keys(queueOf(binding)).length === 0);
    expect(await eventMessages(namespace, 'ReplicaReductionReleased')).toEqual([
      expect.stringMatching(/^What g1 kept is released: its grace was over at .*: 1 of 4 ready on g2$/),
    ]);
  });

  it('is written once by five concurrent deliveries', async () => {
    const namespace = `${NAME}-often`;
    await move(namespace, {});
    const noted = await bindingOnce(namespace, (binding) => queueOf(binding).g1?.gracePeriodSeconds !== undefined);
    const { type, detail } = ReductionDue.of({ hub: HUB, namespace, name: 'web-deployment' });
    await deployed.tap.publish(Array.from({ length: 5 }, () => ({ source: 'evenkeel', 'detail-type': type, detail })));
    await deployed.client.merge(`${pathOf(namespace)}/status`, { status: statusOf({ g1: [4, 4], g2: [4, 4] }) });
    const released = await bindingOnce(namespace, (binding) => Object.keys(queueOf(binding)).length === 0);
    expect(released.metadata.generation).toBe(noted.metadata.generation + 1);
  });

  it('is enabled by annotations of its policy, which are copied to the binding', async () => {
    const namespace = `${NAME}-annotations`;
    await spread(deployed, namespace, { names: ['web'], held: BEFORE, over: CLUSTERS });
    const annotations = {
      'propagationpolicy.karmada.io/name': 'web',
      'propagationpolicy.karmada.io/namespace': namespace,
    };
    await deployed.client.merge(pathOf(namespace), { metadata: { annotations } });
    const resourceSelectors = [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }];
    await deployed.client.create(`/apis/policy.karmada.io/v1alpha1/namespaces/${namespace}/propagationpolicies`, {
      apiVersion: 'policy.karmada.io/v1alpha1',
      kind: 'PropagationPolicy',
      metadata: { name: 'web', annotations: { [REDUCTION_STRATEGY]: 'DelayWorkDeletion' } },
      spec: { resourceSelectors },
    });
    const carried = await bindingOnce(namespace, ({ metadata }) => metadata.annotations?.[STRATEGY_FROM] !== undefined);
    expect(carried.metadata.annotations).toMatchObject({
      [REDUCTION_STRATEGY]: 'DelayWorkDeletion',
      [STRATEGY_FROM]: `PropagationPolicy ${namespace}/web`,
    });
  });
});
