import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { task } from '../../../functions/cluster-hook/review-admission.lambda.ts';
import { reviewAdmission } from '../../../functions/cluster-hook/review-admission.ts';
import { LocalHubs } from '../../../local/local-hubs.ts';
import { parseSettings } from '../../../shared/core/settings.ts';
import { reviewKeyOf } from '../../../shared/kubernetes/hook-callers.ts';
import type { Hub } from '../../../shared/kubernetes/hub.ts';
import { onHttp } from '../../../shared/runtime/http-task.ts';
import { type Line, recording } from '../../fakes/telemetry.ts';
import { OTHER_USER, OURS, waveWrites } from '../../shared/rebalance-policy/wave-cases.ts';
import { writes } from '../../shared/workload-rebalancer/rebalancer-cases.ts';

const rebalancers = { group: 'apps.karmada.io', version: 'v1alpha1', resource: 'workloadrebalancers' };

function review(over: object = {}, apiVersion = 'admission.k8s.io/v1') {
  const request = { uid: 'u-1', resource: rebalancers, operation: 'CREATE', object: { spec: { workloads: [] } } };
  return { apiVersion, kind: 'AdmissionReview', request: { ...request, ...over } };
}

function respond(body: unknown, account?: string) {
  const { answer, ...outcome } = reviewAdmission(JSON.stringify(body), account);
  const { response, ...context } = answer as { response: { uid: string; allowed: boolean } };
  return { response, context, ...outcome };
}

const concerned = [
  rebalancers,
  { group: 'policy.karmada.io', version: 'v1alpha1', resource: 'propagationpolicies' },
  { group: 'work.karmada.io', version: 'v1alpha2', resource: 'resourcebindings' },
];

const rejection = 'spec.workloads is empty; name at least one workload by apiVersion, kind, namespace and name';

const waves = waveWrites.map((write) => {
  const of = ({ spec, ...metadata }: typeof write.after) => ({ metadata: { name: 'r', ...metadata }, spec });
  const operation = write.before ? 'UPDATE' : 'CREATE';
  const oldObject = write.before ? of(write.before) : null;
  return {
    ...write,
    body: review({ operation, object: of(write.after), oldObject, userInfo: { username: write.by } }),
  };
});

describe('a review', () => {
  it('gives the reason of a rejection in the form of an Invalid status of the API server', () => {
    expect(respond(review())).toEqual({
      context: { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview' },
      response: {
        uid: 'u-1',
        allowed: false,
        status: { status: 'Failure', code: 422, reason: 'Invalid', message: rejection },
      },
      allowed: false,
      reason: 'Invalid',
    });
  });

  it.each(writes)('of $description', ({ spec, annotations, before, rejection: message }) => {
    const of = (given: object) => ({ metadata: { name: 'r', ...(annotations && { annotations }) }, spec: given });
    const operation = before ? 'UPDATE' : 'CREATE';
    const { response } = respond(review({ operation, object: of(spec), oldObject: before ? of(before) : null }));
    expect(response).toMatchObject(message === undefined ? { allowed: true } : { allowed: false, status: { message } });
  });

  it.each(waves)('where $description', ({ body, rejection: message }) => {
    const { response } = respond(body, OURS);
    expect(response).toMatchObject(message === undefined ? { allowed: true } : { allowed: false, status: { message } });
  });

  it.each(waves)('lets it through if our account is unknown: $description', ({ body }) => {
    expect(respond(body).response).toEqual({ uid: 'u-1', allowed: true });
  });

  it('of a wave on another hub goes by the account there', () => {
    const [making] = waves.filter(({ description }) => description === 'we make a wave');
    expect(respond(making?.body, 'system:serviceaccount:other:evenkeel').response.allowed).toBe(false);
    expect(respond(making?.body, OURS).response.allowed).toBe(true);
  });

  it('of a dry run is the same: there is nothing it could do', () => {
    expect(respond(review({ dryRun: true }))).toEqual(respond(review()));
  });

  it.each([
    ['a delete', { operation: 'DELETE', object: null, oldObject: { spec: { workloads: [] } } }],
    ['a connect', { operation: 'CONNECT' }],
    ['its status', { subResource: 'status' }],
    ['another kind', { resource: { ...rebalancers, resource: 'others' } }],
    ['another group', { resource: { ...rebalancers, group: 'example.org' } }],
  ])('of %s lets it through', (_, over) => {
    expect(respond(review(over))).toMatchObject({ response: { uid: 'u-1', allowed: true }, reason: 'OfNoConcern' });
  });

  it.each([
    ['no resource', { resource: undefined }],
    ['a resource that is a text', { resource: 'workloadrebalancers' }],
    ['an operation that is a number', { operation: 1 }],
  ])('with %s lets the write through: a protocol fault is not a rejection', (_, over) => {
    expect(respond(review(over))).toMatchObject({ response: { allowed: true }, reason: 'IncompleteRequest' });
  });

  it.each([
    [null, 'request.object: Invalid value: must be an object'],
    ['text', 'request.object: Invalid value: must be an object'],
    [5, 'request.object: Invalid value: must be an object'],
    [[], 'request.object: Invalid value: must be an object'],
    [{ metadata: 'web' }, 'request.object.metadata: Invalid value: must be an object'],
    [{ metadata: { labels: 'web' } }, 'request.object.metadata.labels: Invalid value: must be an object'],
    [{ metadata: { labels: ['web'] } }, 'request.object.metadata.labels: Invalid value: must be an object'],
    [{ metadata: { annotations: { a: 5 } } }, 'request.object.metadata.annotations.a: Invalid value: must be a string'],
  ])('of the object %j is malformed: the error names the field', (object, message) => {
    for (const resource of concerned) {
      const asked = review({ resource, operation: 'CREATE', object });
      expect(() => reviewAdmission(JSON.stringify(asked), OURS)).toThrow(message);
      const changed = review({ resource, operation: 'UPDATE', object: { spec: {} }, oldObject: object });
      expect(() => reviewAdmission(JSON.stringify(changed), OURS)).toThrow(message.replace('.object', '.oldObject'));
    }
  });

  it.each([201, 10_000, 100_000])('of an object nested %d levels deep is malformed', (depth) => {
    const nested = `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
    for (const resource of concerned) {
      const body = JSON.stringify(review({ resource, operation: 'CREATE', object: 'HERE' })).replace('"HERE"', nested);
      expect(() => reviewAdmission(body, OURS)).toThrow(
        'request.object: Invalid value: nested more than 200 levels deep',
      );
    }
  });

  it.each([{}, { spec: null }, { spec: { workloads: 'web' } }])(
    'of the object %j lets it through, for its rules cannot be evaluated',
    (object) => {
      const { response, reason } = respond(review({ object }));
      expect([response.allowed, reason.split(' ')[0]]).toEqual([true, 'Unevaluated']);
    },
  );

  it('in another version is answered in that version, and lets the write through with a warning', () => {
    expect(respond(review({}, 'admission.k8s.io/v2'))).toEqual({
      context: { apiVersion: 'admission.k8s.io/v2', kind: 'AdmissionReview' },
      response: {
        uid: 'u-1',
        allowed: true,
        warnings: [
          'evenkeel did not review this write: it supports admission.k8s.io/v1, and the request has "admission.k8s.io/v2"; set admissionReviewVersions to [v1]',
        ],
      },
      allowed: true,
      reason: 'AnotherVersion',
    });
  });

  it.each([
    ['no JSON', '{', 'the body is not JSON'],
    ['a list', '[]', 'the body is not an AdmissionReview (apiVersion, kind, request with a uid)'],
    ['another kind', JSON.stringify({ ...review(), kind: 'EventList' }), 'the body is not an AdmissionReview'],
    ['no uid', JSON.stringify(review({ uid: undefined })), 'the body is not an AdmissionReview'],
  ])('of %s has no request to respond to', (_, body, message) => {
    expect(() => reviewAdmission(body)).toThrow(message);
  });

  it('is not misled by keys that JavaScript gives a meaning', () => {
    const spec = '{"__proto__":{"workloads":[1]},"constructor":{},"workloads":[]}';
    const body = JSON.stringify(review({ object: 'HERE' })).replace('"HERE"', `{"spec":${spec}}`);
    expect(reviewAdmission(body)).toMatchObject({ allowed: false, reason: 'Invalid' });
  });
});

const token = 'hook-token-of-karmada';

interface Call {
  readonly hub?: string;
  readonly key?: string;
  readonly bearer?: string;
  readonly body?: string;
}

async function call({ hub = 'karmada', key, bearer, body = JSON.stringify(review()) }: Call) {
  const lines: Line[] = [];
  const hubs = new LocalHubs('karmada', [token, 'its-successor-in-line']);
  hubs.opened({} as Hub, { account: OURS });
  const handler = onHttp(
    task,
    { hookAccess: () => hubs },
    {
      context: () => ({
        settings: parseSettings({}),
        telemetry: recording(lines),
        now: () => 0,
        newId: () => 'id',
        timeLeft: () => Number.POSITIVE_INFINITY,
      }),
    },
  );
  const event = {
    headers: { 'content-type': 'application/json', ...(bearer && { authorization: `Bearer ${bearer}` }) },
    pathParameters: { hub, ...(key && { key }) },
    body,
    isBase64Encoded: false,
  };
  const { statusCode, body: text = '' } = await handler(event as unknown as APIGatewayProxyEventV2, {} as Context);
  return { status: statusCode, answer: JSON.parse(text) as Record<string, unknown>, lines };
}

describe('who may ask for a review', () => {
  it.each([
    ['with a hook token', { bearer: token }],
    ['with the token that comes next', { bearer: 'its-successor-in-line' }],
    ['with the key of a token in the path', { key: reviewKeyOf('karmada', token) }],
    ['with the key of the token that comes next', { key: reviewKeyOf('karmada', 'its-successor-in-line') }],
  ])('%s', async (_, given) => {
    const { status, answer } = await call(given);
    expect([status, answer.response]).toEqual([200, respond(review()).response]);
  });

  it.each([
    ['rejects a caller without a credential', {}],
    ['rejects a wrong key', { key: reviewKeyOf('karmada', 'another-token-than-it') }],
    ['rejects the key of another hub', { key: reviewKeyOf('edge', token) }],
    ['rejects the token itself in the path, where logs show it', { key: token }],
    ['rejects the key as a token', { bearer: reviewKeyOf('karmada', token) }],
    ['rejects a wrong token', { bearer: 'another-token-than-it' }],
    ['rejects a caller at the path of an unknown hub', { hub: 'edge', key: reviewKeyOf('edge', token) }],
  ])('%s', async (_, given: Call) => {
    const { status, answer } = await call(given);
    expect([status, answer]).toEqual([
      401,
      { error: 'neither this token nor this path may ask for reviews for this hub' },
    ]);
  });

  it.each([
    [OURS, true],
    [OTHER_USER, false],
  ])('may write a wave if the connection of the hub names the account (%s: %s)', async (username, allowed) => {
    const { body } = waves.find(({ description }) => description === 'we make a wave') ?? {};
    const asked = JSON.stringify({ ...body, request: { ...body?.request, userInfo: { username } } });
    const { answer } = await call({ bearer: token, body: asked });
    expect(answer.response).toMatchObject({ allowed });
  });

  it('gets the reason why a body is invalid', async () => {
    expect(await call({ bearer: token, body: '{' })).toMatchObject({
      status: 400,
      answer: { error: 'the body is not JSON' },
    });
    expect(await call({ bearer: token, body: JSON.stringify(review({ object: null })) })).toMatchObject({
      status: 400,
      answer: { error: 'request.object: Invalid value: must be an object' },
    });
  });
});
