/** The practice hub of a local run is set up as `evenkeel hub manifests` sets up a real hub: invalid objects are rejected when they are written. */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PracticeHub, startPracticeHub } from '../../local/practice.ts';
import { DELAY_WORK_DELETION, REDUCTION_STRATEGY } from '../../shared/graceful-reduction/replica-reduction.ts';
import { POLICY_LABEL } from '../../shared/workload-rebalancer/workload-rebalancer.ts';
import { binding, bindingsIn, HubClient, REBALANCERS } from '../contracts/hub-api/client.ts';

let folder: string;
let hook: Server;
let practice: PracticeHub;
let client: HubClient;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'evenkeel-practice-'));
  hook = createServer((request, response) => {
    request.resume().on('end', () => response.end());
  }).listen(0, '127.0.0.1');
  await once(hook, 'listening');
  const hookUrl = `http://127.0.0.1:${(hook.address() as AddressInfo).port}`;
  practice = await startPracticeHub({ port: 0, folder, hookUrl, hookToken: 'hook-token-of-the-test' });
  const connection = { server: practice.server.url, hookTokens: [] };
  client = new HubClient({ connection, forget: async () => {}, stop: practice.close });
});
afterAll(async () => {
  await practice.close();
  hook.closeAllConnections();
  await once(hook.close(), 'close');
  rmSync(folder, { recursive: true, force: true });
});

const workload = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web' };
const rebalancer = (name: string, workloads: readonly object[], labels: object = {}) => ({
  apiVersion: 'apps.karmada.io/v1alpha1',
  kind: 'WorkloadRebalancer',
  metadata: { name, labels },
  spec: { workloads },
});

describe('the practice hub of a local run', () => {
  it('accepts a valid WorkloadRebalancer', async () => {
    expect((await client.send('POST', REBALANCERS, rebalancer('valid', [workload]))).code).toBe(201);
  });

  it('rejects a WorkloadRebalancer with a negative ttlSecondsAfterFinished, which its schema allows', async () => {
    const { spec, ...rest } = rebalancer('negative', [workload]);
    const object = { ...rest, spec: { ...spec, ttlSecondsAfterFinished: -1 } };
    const { code, body } = await client.send('POST', REBALANCERS, object);
    expect(code).toBe(422);
    expect(body.message).toContain('spec.ttlSecondsAfterFinished is -1; write the seconds to keep');
  });

  it('rejects a WorkloadRebalancer of a user that is labelled as the wave of a RebalancePolicy', async () => {
    const wave = rebalancer('wave', [workload], { [POLICY_LABEL]: 'nightly' });
    const { code, body } = await client.send('POST', REBALANCERS, wave);
    expect(code).toBe(422);
    expect(body.message).toContain(`may not set, change or remove ${POLICY_LABEL}`);
  });

  it('accepts the wave of a RebalancePolicy from the account of the functions', async () => {
    const functions = new HubClient({ connection: practice.connection, forget: async () => {}, stop: async () => {} });
    const wave = rebalancer('wave', [workload], { [POLICY_LABEL]: 'nightly' });
    expect((await functions.send('POST', REBALANCERS, wave)).code).toBe(201);
  });

  it('rejects an unknown value of the reduction strategy on a binding', async () => {
    const object = binding({ name: 'held', annotations: { [REDUCTION_STRATEGY]: 'Delayed' } });
    const { code, body } = await client.send('POST', bindingsIn('default'), object);
    expect(code).toBe(422);
    expect(body.message).toContain(`${REDUCTION_STRATEGY} is "Delayed"; write ${DELAY_WORK_DELETION}`);
  });
});
