/** Access reviews and self subject reviews, answered as kube-apiserver 1.35 does. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HubServer, startHubServer } from '../../local/practice-hub/hub-server.ts';
import { protobufField } from '../fakes/protobuf-field.ts';

let hub: HubServer;
beforeAll(async () => {
  hub = await startHubServer({ port: 0, users: { 'of-ours': 'system:serviceaccount:evenkeel:evenkeel' } });
});
afterAll(() => hub.close());

interface Answer {
  readonly code: number;
  readonly body: unknown;
}

function review(groupVersion: string, kind: string, spec: object): Promise<Answer> {
  return post(groupVersion, kind, 'application/json', JSON.stringify({ apiVersion: groupVersion, kind, spec }));
}

async function post(
  groupVersion: string,
  kind: string,
  mediaType: string,
  content: string | Uint8Array<ArrayBuffer>,
): Promise<Answer> {
  const response = await fetch(`${hub.url}/apis/${groupVersion}/${kind.toLowerCase()}s`, {
    method: 'POST',
    headers: { 'content-type': mediaType, authorization: 'Bearer of-ours' },
    body: content,
  });
  return { code: response.status, body: await response.json() };
}

/** A review as kubectl sends it: protobuf, in the envelope of apiserver's runtime.Unknown. */
function reviewInProtobuf(groupVersion: string, kind: string, spec?: Buffer): Promise<Answer> {
  const header = Buffer.concat([protobufField(1, groupVersion), protobufField(2, kind)]);
  const message = Buffer.concat([protobufField(1, ''), protobufField(2, spec ?? '')]);
  const content = Buffer.concat([Buffer.from('k8s\0'), protobufField(1, header), protobufField(2, message)]);
  return post(groupVersion, kind, 'application/vnd.kubernetes.protobuf', content);
}

const authorization = 'authorization.k8s.io/v1';
const resourceAttributes = { verb: 'get', resource: 'pods' };
const user = 'alice';

describe('the practice hub', () => {
  it('identifies the user by the token', async () => {
    const { code, body } = await review('authentication.k8s.io/v1', 'SelfSubjectReview', {});
    const username = 'system:serviceaccount:evenkeel:evenkeel';
    expect(code).toBe(201);
    expect(body).toMatchObject({ kind: 'SelfSubjectReview', status: { userInfo: { username } } });
  });

  it.each([
    ['SelfSubjectAccessReview', { resourceAttributes }],
    ['SubjectAccessReview', { resourceAttributes, user }],
    ['SubjectAccessReview', { nonResourceAttributes: { verb: 'get', path: '/metrics' }, groups: ['system:masters'] }],
  ])('allows every request of every user: %s', async (kind, spec) => {
    const { code, body } = await review(authorization, kind, spec);
    expect(code).toBe(201);
    const reason = 'the practice hub allows all requests';
    expect(body).toMatchObject({ apiVersion: authorization, kind, spec, status: { allowed: true, reason } });
  });

  it('answers kubectl auth whoami, which sends protobuf', async () => {
    const { code, body } = await reviewInProtobuf('authentication.k8s.io/v1', 'SelfSubjectReview');
    expect(code).toBe(201);
    expect(body).toMatchObject({ status: { userInfo: { username: 'system:serviceaccount:evenkeel:evenkeel' } } });
  });

  it.each([
    {
      asked: 'auth can-i create deployments',
      field: protobufField(
        1,
        Buffer.concat(['shop', 'create', 'apps', '', 'deployments'].map((text, at) => protobufField(at + 1, text))),
      ),
      spec: { resourceAttributes: { namespace: 'shop', verb: 'create', group: 'apps', resource: 'deployments' } },
    },
    {
      asked: 'auth can-i get /metrics',
      field: protobufField(2, Buffer.concat([protobufField(1, '/metrics'), protobufField(2, 'get')])),
      spec: { nonResourceAttributes: { path: '/metrics', verb: 'get' } },
    },
  ])('answers kubectl $asked, which sends protobuf', async ({ field, spec }) => {
    const { code, body } = await reviewInProtobuf(authorization, 'SelfSubjectAccessReview', field);
    expect(code).toBe(201);
    expect(body).toMatchObject({ spec, status: { allowed: true } });
  });

  it('lists every verb on every resource for kubectl auth can-i --list', async () => {
    const { code, body } = await reviewInProtobuf(authorization, 'SelfSubjectRulesReview', protobufField(1, 'shop'));
    expect(code).toBe(201);
    expect(body).toMatchObject({
      spec: { namespace: 'shop' },
      status: { resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }], incomplete: false },
    });
  });

  it('rejects a SelfSubjectRulesReview without a namespace, as a kube-apiserver does', async () => {
    expect(await review(authorization, 'SelfSubjectRulesReview', {})).toMatchObject({
      code: 400,
      body: { kind: 'Status', message: 'no namespace on request' },
    });
  });

  const nothing =
    'spec.resourceAttributes: Invalid value: null: exactly one of nonResourceAttributes or resourceAttributes must be specified';
  const noUser = 'spec.user: Invalid value: "": at least one of user or group must be specified';
  it.each([
    ['SelfSubjectAccessReview', {}, nothing],
    ['SubjectAccessReview', { user }, nothing],
    ['SubjectAccessReview', { resourceAttributes }, noUser],
  ])('rejects %s with %j, as a kube-apiserver does', async (kind, spec, why) => {
    const { code, body } = await review(authorization, kind, spec);
    const message = `${kind}.authorization.k8s.io "" is invalid: ${why}`;
    expect(code).toBe(422);
    expect(body).toMatchObject({ kind: 'Status', reason: 'Invalid', message });
  });

  it('cannot list reviews', async () => {
    expect((await fetch(`${hub.url}/apis/${authorization}/subjectaccessreviews`)).status).toBe(404);
  });
});
