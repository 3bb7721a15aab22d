/** A WorkloadRebalancer of a newer CRD, with a field that this version does not implement. */
import { expect, it } from 'vitest';
import { task as planTask } from '../../../functions/workload-rebalancer/plan-rebalance.lambda.ts';
import { Fault } from '../../../shared/core/fault.ts';
import { parseSettings } from '../../../shared/core/settings.ts';
import { workloadRebalancers } from '../../../shared/workload-rebalancer/workload-rebalancer.ts';
import { at, deployment } from '../../builders.ts';

type Uses = Parameters<typeof planTask.run>[1];

const object = workloadRebalancers.parse({
  metadata: { name: 'demo', uid: 'uid-demo', resourceVersion: '7', creationTimestamp: '2026-11-21T10:00:00Z' },
  spec: { workloads: [deployment('web')], reschedule: { preserveAvailableReplicas: true, drain: true } },
});

/** What the function writes to a hub that answers the creation of an Event so. */
async function run(create: () => Promise<unknown>) {
  const created: unknown[] = [];
  const hub = {
    name: 'karmada',
    get: async () => object,
    create: (_: unknown, event: unknown) => (created.push(event), create()),
  };
  const tasks = { readTask: async () => undefined };
  const context = { now: () => at(20), newId: () => 'plan', settings: parseSettings({}) };
  const ports = { ...context, hubs: { connect: async () => hub }, tasks, bus: {} } as unknown as Uses;
  return { created, outcome: await planTask.run({ hub: 'karmada', name: 'demo' }, ports, new Set()) };
}

const reason = 'spec.reschedule.drain is not implemented by this version of Evenkeel; remove it, or upgrade';

it('has an Event that names the field, and nothing else is read or written', async () => {
  const { created, outcome } = await run(async () => ({ result: 'done' }));
  expect(outcome).toEqual({ reason });
  expect(created).toMatchObject([
    {
      metadata: { namespace: 'default', name: 'demo.unknown-fields-1' },
      involvedObject: {
        apiVersion: 'apps.karmada.io/v1alpha1',
        kind: 'WorkloadRebalancer',
        name: 'demo',
        uid: 'uid-demo',
      },
      ...{ type: 'Warning', reason: 'UnknownField', message: `Nothing is rescheduled: ${reason}`, count: 1 },
    },
  ]);
});

it('has the reason in the log if the Event may not be written', async () => {
  const { outcome } = await run(() =>
    Promise.reject(new Fault('terminal', 'events is forbidden', { reason: 'Forbidden' })),
  );
  expect(outcome).toEqual({ reason, fields: { unwritten: 'events is forbidden' } });
});
