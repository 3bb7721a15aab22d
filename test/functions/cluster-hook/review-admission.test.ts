import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { task } from '../../../functions/cluster-hook/review-admission.lambda.ts';
import { reviewAdmission } from '../../../functions/cluster-hook/review-admission.ts';
import { LocalHubs } from '../../../local/local-hubs.ts';
import { reviewKeyOf } from '../../../shared/adapters/secrets-manager/review-key.ts';
import { onHttp } from '../../../shared/edge/http-task.ts';
import type { Hub } from '../../../shared/ports/hub.ts';
import { parseSettings } from '../../../shared/settings.ts';
import { type Line, recording } from '../../fakes/telemetry.ts';
import { writes } from '../../shared/model/admission/rebalancer-cases.ts';
import { OURS, SOMEBODY, waveWrites } from '../../shared/model/admission/wave-cases.ts';

const rebalancers = { group: 'apps.karmada.io', version: 'v1alpha1', resource: 'workloadrebalancers' };

function review(over: object = {}, apiVersion = 'admission.k8s.io/v1') {
  const request = { uid: 'u-1', resource: rebalancers, operation: 'CREATE', object: { spec: { workloads: [] } } };
  return { apiVersion, kind: 'AdmissionReview', request: { ...request, ...over } };
}

function respond(body: unknown, account?: string) {
  const { answer, ...outcome } = reviewAdmission(JSON.stringify(body), account);
  const { response, ...around } = answer as { response: { uid: string; allowed: boolean } };
  return { response, around, ...outcome };
}

const refusal = 'spec.workloads is empty; name at least one workload by apiVersion, kind, namespace and name';

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
  it('that ends in a refusal says why, as an API server says that an object is invalid', () => {
    expect(respond(review())).toEqual({
      around: { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview' },
      response: {
        uid: 'u-1',
        allowed: false,
        status: { status: 'Failure', code: 422, reason: 'Invalid', message: refusal },
      },
      allowed: false,
      reason: 'Invalid',
    });
  });

  it.each(writes)('of $says', ({ spec, annotations, before, refusal: message }) => {
    const of = (given: object) => ({ metadata: { name: 'r', ...(annotations && { annotations }) }, spec: given });
    const operation = before ? 'UPDATE' : 'CREATE';
    const { response } = respond(review({ operation, object: of(spec), oldObject: before ? of(before) : null }));
    expect(response).toMatchObject(message === undefined ? { allowed: true } : { allowed: false, status: { message } });
  });

  it.each(waves)('where $says', ({ body, refusal: message }) => {
    const { response } = respond(body, OURS);
    expect(response).toMatchObject(message === undefined ? { allowed: true } : { allowed: false, status: { message } });
  });

  it.each(waves)('where nobody knows our account and $says lets it through', ({ body }) => {
    expect(respond(body).response).toEqual({ uid: 'u-1', allowed: true });
  });

  it('of a wave on another hub goes by the account there', () => {
    const [making] = waves.filter(({ says }) => says === 'we make a wave');
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
  ])('with %s lets the write through: a fault of the protocol is no refusal', (_, over) => {
    expect(respond(review(over))).toMatchObject({ response: { allowed: true }, reason: 'IncompleteRequest' });
  });

  it.each([null, 'text', 5, [], {}, { spec: null }, { spec: { workloads: 'web' } }])(
    'of the object %j lets it through, for its rules cannot be evaluated',
    (object) => {
      const { response, reason } = respond(review({ object }));
      expect([response.allowed, reason.split(' ')[0]]).toEqual([true, 'Unevaluated']);
    },
  );

  it('in another version is answered in that version, and lets the write through with a warning', () => {
    expect(respond(review({}, 'admission.k8s.io/v2'))).toEqual({
      around: { apiVersion: 'admission.k8s.io/v2', kind: 'AdmissionReview' },
      response: {
        uid: 'u-1',
        allowed: true,
        warnings: [
          'evenkeel did not look at this write: it reads admission.k8s.io/v1, and was asked in "admission.k8s.io/v2"; set admissionReviewVersions to [v1]',
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
  ])('of %s has nobody to answer', (_, body, message) => {
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
    { hubs: () => hubs },
    {
      surroundings: () => ({
        settings: parseSettings({}),
        telemetry: recording(lines),
        now: () => 0,
        newId: () => 'id',
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
    ['nobody who shows nothing', {}],
    ['nobody with a wrong key', { key: reviewKeyOf('karmada', 'another-token-than-it') }],
    ['nobody with the key of another hub', { key: reviewKeyOf('edge', token) }],
    ['nobody with the token itself in the path, where it is seen', { key: token }],
    ['nobody with the key as a token', { bearer: reviewKeyOf('karmada', token) }],
    ['nobody with a wrong token', { bearer: 'another-token-than-it' }],
    ['nobody at the path of an unknown hub', { hub: 'edge', key: reviewKeyOf('edge', token) }],
  ])('%s', async (_, given: Call) => {
    const { status, answer } = await call(given);
    expect([status, answer]).toEqual([
      401,
      { error: 'neither this token nor this path may ask for reviews for this hub' },
    ]);
  });

  it.each([
    [OURS, true],
    [SOMEBODY, false],
  ])('may write a wave where the connection of the hub says so (%s: %s)', async (username, allowed) => {
    const { body } = waves.find(({ says }) => says === 'we make a wave') ?? {};
    const asked = JSON.stringify({ ...body, request: { ...body?.request, userInfo: { username } } });
    const { answer } = await call({ bearer: token, body: asked });
    expect(answer.response).toMatchObject({ allowed });
  });

  it('is told what is wrong with a body that is none', async () => {
    expect(await call({ bearer: token, body: '{' })).toMatchObject({
      status: 400,
      answer: { error: 'the body is not JSON' },
    });
  });
});
