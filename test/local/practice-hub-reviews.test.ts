/** The questions of who one is and who may do what, worded as kube-apiserver 1.35 answers them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HubServer, startHubServer } from '../../local/practice-hub/hub-server.ts';

let hub: HubServer;
beforeAll(async () => {
  hub = await startHubServer({ port: 0, users: { 'of-ours': 'system:serviceaccount:evenkeel:evenkeel' } });
});
afterAll(() => hub.close());

async function review(groupVersion: string, kind: string, spec: object): Promise<{ code: number; body: unknown }> {
  const response = await fetch(`${hub.url}/apis/${groupVersion}/${kind.toLowerCase()}s`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer of-ours' },
    body: JSON.stringify({ apiVersion: groupVersion, kind, spec }),
  });
  return { code: response.status, body: await response.json() };
}

const authorization = 'authorization.k8s.io/v1';
const resourceAttributes = { verb: 'get', resource: 'pods' };
const user = 'somebody';

describe('the practice hub', () => {
  it('tells who asks, by the token', async () => {
    const { code, body } = await review('authentication.k8s.io/v1', 'SelfSubjectReview', {});
    const username = 'system:serviceaccount:evenkeel:evenkeel';
    expect(code).toBe(201);
    expect(body).toMatchObject({ kind: 'SelfSubjectReview', status: { userInfo: { username } } });
  });

  it.each([
    ['SelfSubjectAccessReview', { resourceAttributes }],
    ['SubjectAccessReview', { resourceAttributes, user }],
    ['SubjectAccessReview', { nonResourceAttributes: { verb: 'get', path: '/metrics' }, groups: ['system:masters'] }],
  ])('lets everybody do everything, and says so: %s', async (kind, spec) => {
    const { code, body } = await review(authorization, kind, spec);
    expect(code).toBe(201);
    const reason = 'the practice hub lets everybody do everything';
    expect(body).toMatchObject({ apiVersion: authorization, kind, spec, status: { allowed: true, reason } });
  });

  const nothing =
    'spec.resourceAttributes: Invalid value: null: exactly one of nonResourceAttributes or resourceAttributes must be specified';
  const nobody = 'spec.user: Invalid value: "": at least one of user or group must be specified';
  it.each([
    ['SelfSubjectAccessReview', {}, nothing],
    ['SubjectAccessReview', { user }, nothing],
    ['SubjectAccessReview', { resourceAttributes }, nobody],
  ])('refuses %s that asks %j, as a kube-apiserver does', async (kind, spec, why) => {
    const { code, body } = await review(authorization, kind, spec);
    const message = `${kind}.authorization.k8s.io "" is invalid: ${why}`;
    expect(code).toBe(422);
    expect(body).toMatchObject({ kind: 'Status', reason: 'Invalid', message });
  });

  it('has no list of what was asked', async () => {
    expect((await fetch(`${hub.url}/apis/${authorization}/subjectaccessreviews`)).status).toBe(404);
  });
});
