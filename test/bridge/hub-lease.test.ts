import { describe, expect, it } from 'vitest';
import { HubLease } from '../../bridge/hub-lease.ts';
import type { ApiRequest, ApiResponse } from '../../shared/kubernetes/client/transport.ts';
import { at } from '../builders.ts';

const path = '/apis/coordination.k8s.io/v1/namespaces/evenkeel/leases';

function leaseOn(answer: Partial<ApiResponse>) {
  const requests: ApiRequest[] = [];
  const send = async (request: ApiRequest): Promise<ApiResponse> => {
    requests.push(request);
    return { status: 200, body: undefined, ...answer };
  };
  const transport = { send, stream: () => Promise.reject(new Error('not of this test')), close: () => undefined };
  const place = { namespace: 'evenkeel', name: 'evenkeel-bridge' };
  return { requests, lease: new HubLease(transport, place, () => at(5)) };
}

const spec = {
  holderIdentity: 'a',
  renewTime: '2026-11-21T10:00:00.000000Z',
  leaseDurationSeconds: 20,
  leaseTransitions: 3,
};
const metadata = { resourceVersion: '7' };
const written = { holder: 'me', durationSeconds: 15, transitions: 4 };

describe('reading the Lease of a hub', () => {
  it.each([
    ['as its holder wrote it', spec, { holder: 'a', renewTime: spec.renewTime, durationSeconds: 20, transitions: 3 }],
    ['with nothing in it', {}, { holder: '', renewTime: '', durationSeconds: 15, transitions: 0 }],
    [
      'with nulls',
      { holderIdentity: null, renewTime: null, leaseDurationSeconds: null, leaseTransitions: null },
      { holder: '', renewTime: '', durationSeconds: 15, transitions: 0 },
    ],
    ['without a spec', undefined, { holder: '', renewTime: '', durationSeconds: 15, transitions: 0 }],
  ])('reads one %s', async (_, given, lease) => {
    const subject = leaseOn({ body: { metadata, spec: given } });
    expect(await subject.lease.read()).toEqual({ ...lease, resourceVersion: '7' });
    expect(subject.requests).toEqual([{ method: 'GET', path: `${path}/evenkeel-bridge` }]);
  });

  it('reads none if there is none', async () => {
    expect(await leaseOn({ status: 404 }).lease.read()).toBe(undefined);
  });

  it.each([
    [403, undefined],
    [500, { metadata, spec }],
    [200, { spec }],
  ])('fails on status %i with %j', async (status, body) => {
    const message = `the hub answered ${status} to read Lease evenkeel/evenkeel-bridge: no message`;
    await expect(leaseOn({ status, body }).lease.read()).rejects.toMatchObject({ message });
  });
});

describe('writing the Lease of a hub', () => {
  const object = {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name: 'evenkeel-bridge', namespace: 'evenkeel' },
    spec: {
      ...spec,
      holderIdentity: 'me',
      leaseDurationSeconds: 15,
      leaseTransitions: 4,
      renewTime: '2026-11-21T10:00:05.000000Z',
    },
  };

  it('creates one that is not there', async () => {
    const { lease, requests } = leaseOn({ status: 201 });
    expect(await lease.write(written)).toBe(true);
    expect(requests).toEqual([{ method: 'POST', path, body: object }]);
  });

  it('replaces the version that was read', async () => {
    const { lease, requests } = leaseOn({});
    expect(await lease.write({ ...written, resourceVersion: '7' })).toBe(true);
    const body = { ...object, metadata: { ...object.metadata, resourceVersion: '7' } };
    expect(requests).toEqual([{ method: 'PUT', path: `${path}/evenkeel-bridge`, body }]);
  });

  it.each([409, 404])('is late where the hub answers %i', async (status) => {
    expect(await leaseOn({ status }).lease.write({ ...written, resourceVersion: '7' })).toBe(false);
  });

  it.each([300, 403, 500])('fails where the hub answers %i', async (status) => {
    const message = `the hub answered ${status} to write Lease evenkeel/evenkeel-bridge: no message`;
    await expect(leaseOn({ status }).lease.write(written)).rejects.toMatchObject({ message });
  });
});
