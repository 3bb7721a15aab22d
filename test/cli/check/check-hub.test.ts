import { describe, expect, it } from 'vitest';
import { checkHub } from '../../../cli/check/check-hub.ts';
import type { CheckedHub } from '../../../cli/check/checked-hub.ts';
import type { Finding } from '../../../cli/check/finding.ts';
import { Fault } from '../../../shared/core/fault.ts';

const account = { namespace: 'evenkeel', name: 'evenkeel' };
const US = 'system:serviceaccount:evenkeel:evenkeel';

interface HubOptions {
  readonly username?: string;
  /** The status of the response to a request for the ServiceAccount. If absent, the hub does not serve the kind. */
  readonly accountStatus?: number;
  /** Whether the access review allows the request. */
  readonly allows?: (resource: string, verb: string) => boolean;
  /** The error with which the hub answers access reviews. */
  readonly rejection?: Fault;
}

/** A hub that serves no kind except ServiceAccounts, if configured; `asked` collects the kind and the user of each access review. */
function hubOf({ username = 'admin', accountStatus, allows = () => true, rejection }: HubOptions): {
  readonly hub: CheckedHub;
  readonly asked: Set<string>;
} {
  const asked = new Set<string>();
  const answer = (kind: string, spec: object): object => {
    if (kind === 'SelfSubjectReview') return { userInfo: { username } };
    if (rejection !== undefined) throw rejection;
    const { user, resourceAttributes: right } = spec as {
      user?: string;
      resourceAttributes: { resource: string; verb: string };
    };
    asked.add(`${kind} ${user ?? ''}`);
    return { allowed: allows(right.resource, right.verb) };
  };
  const hub: CheckedHub = {
    server: 'https://hub.example',
    kubectl: 'kubectl',
    get: async (path) => {
      const status = path.includes('/serviceaccounts/') ? (accountStatus ?? 500) : 200;
      return { status, body: {} };
    },
    review: async <T>(_: string, kind: string, spec: object) => answer(kind, spec) as T,
    serves: async ({ plural }) => plural === 'serviceaccounts' && accountStatus !== undefined,
    close: () => undefined,
  };
  return { hub, asked };
}

async function findingsOf(options: HubOptions): Promise<readonly Finding[]> {
  const findings = await checkHub(hubOf(options).hub, { account, features: {} });
  return findings.filter(({ about }) => about === 'account' || about === 'rights');
}

describe('the check of the ServiceAccount of the functions', () => {
  it('fails if the hub lacks the ServiceAccount, and prints how to create it', async () => {
    expect(await findingsOf({ accountStatus: 404 })).toEqual([
      {
        state: 'fail',
        about: 'account',
        what: 'ServiceAccount evenkeel/evenkeel not found',
        mend: expect.stringContaining('evenkeel hub manifests --only rbac | kubectl apply -f -') as string,
      },
    ]);
  });

  it('succeeds for a ServiceAccount with all permissions', async () => {
    const found = await findingsOf({ accountStatus: 200 });
    expect(found.map(({ state, about }) => [state, about])).toEqual([
      ['ok', 'account'],
      ['ok', 'rights'],
    ]);
    expect(found[0]?.what).toBe('ServiceAccount evenkeel/evenkeel is there');
  });

  it.each([undefined, 403])(
    'reports no finding about the ServiceAccount if a request for it has the status %s',
    async (accountStatus) => {
      const found = await findingsOf({ ...(accountStatus !== undefined && { accountStatus }) });
      expect(found.map(({ state, about }) => [state, about])).toEqual([['ok', 'rights']]);
    },
  );

  it('lists the permissions that the account lacks', async () => {
    const found = await findingsOf({ allows: (resource, verb) => resource !== 'clusters' || verb !== 'list' });
    expect(found).toMatchObject([
      {
        state: 'fail',
        about: 'rights',
        what: `${US} may not list clusters.cluster.karmada.io`,
        mend: expect.stringContaining('--only rbac') as string,
      },
    ]);
  });

  it.each([
    ['an administrator', 'admin', `SubjectAccessReview ${US}`],
    ['the account itself', US, 'SelfSubjectAccessReview '],
  ])('reviews the permissions of the account as %s', async (_, username, review) => {
    const { hub, asked } = hubOf({ username });
    await checkHub(hub, { account, features: {} });
    expect([...asked]).toEqual([review]);
  });

  it('warns a user who may not review the permissions of the account', async () => {
    const rejection = new Fault('terminal', 'no', { reason: 'Forbidden' });
    expect(await findingsOf({ username: 'dev', rejection })).toEqual([
      {
        state: 'warn',
        about: 'rights',
        what: `dev may not ask what ${US} may do`,
        mend: 'run this as an administrator, or by a kubeconfig of the account itself',
      },
    ]);
  });

  it('fails if the hub does not answer access reviews', async () => {
    const rejection = new Fault('retryable', 'the hub is down', { reason: 'Http500' });
    await expect(findingsOf({ rejection })).rejects.toBe(rejection);
  });
});
