/** What the hub API promises of the reviews that `kubectl auth whoami` and `kubectl auth can-i` ask for. */
import { describe, expect, it } from 'vitest';
import type { HubClient } from './client.ts';

const AUTHORIZATION = '/apis/authorization.k8s.io/v1';

export function reviewContract(client: () => HubClient): void {
  describe('review', () => {
    it('returns the user of the request', async () => {
      const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview', metadata: {} };
      const { code, body } = await client().send('POST', '/apis/authentication.k8s.io/v1/selfsubjectreviews', review);
      expect(code).toBe(201);
      expect((body.status as { userInfo: object }).userInfo).toHaveProperty('username');
    });

    it('returns whether the user may do something', async () => {
      const resourceAttributes = {
        verb: 'create',
        group: 'authorization.k8s.io',
        resource: 'selfsubjectaccessreviews',
      };
      const review = {
        apiVersion: 'authorization.k8s.io/v1',
        kind: 'SelfSubjectAccessReview',
        metadata: {},
        spec: { resourceAttributes },
      };
      const { code, body } = await client().send('POST', `${AUTHORIZATION}/selfsubjectaccessreviews`, review);
      expect(code).toBe(201);
      expect(body).toMatchObject({ spec: { resourceAttributes }, status: { allowed: true } });
    });

    it('returns what the user may do in a namespace, and only in one', async () => {
      const review = { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectRulesReview', metadata: {} };
      const ask = (spec: object) =>
        client().send('POST', `${AUTHORIZATION}/selfsubjectrulesreviews`, { ...review, spec });
      const { code, body } = await ask({ namespace: 'default' });
      expect(code).toBe(201);
      const { resourceRules } = body.status as { resourceRules: readonly object[] };
      expect(resourceRules[0]).toHaveProperty('verbs');
      expect(await ask({})).toMatchObject({ code: 400, body: { message: 'no namespace on request' } });
    });
  });
}
