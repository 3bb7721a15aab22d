import { describe, expect, it } from 'vitest';
import { checkHub } from '../../../cli/check/check-hub.ts';
import type { CheckedHub } from '../../../cli/check/checked-hub.ts';
import type { Finding } from '../../../cli/check/finding.ts';
import { Fault } from '../../../shared/model/fault.ts';

const account = { namespace: 'evenkeel', name: 'evenkeel' };
const US = 'system:serviceaccount:evenkeel:evenkeel';

interface HubOptions {
  readonly username?: string;
  /** The status of a request for the ServiceAccount; absent: the hub does not serve the kind. */
  readonly accountStatus?: number;
  /** Whether the account may do what is asked about. */
  readonly allows?: (resource: string, verb: string) => boolean;
  /** Why the hub does not answer what an account may do. */
  readonly rejection?: Fault;
}

/** A hub that serves no kind but perhaps ServiceAccounts; `asked` collects the kind of each access review, and its user. */
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

describe('the check of the account of the functions', () => {
  it('fails for a hub without the ServiceAccount, and says how it is made', async () => {
    expect(await findingsOf({ accountStatus: 404 })).toEqual([
      {
        state: 'fail',
        about: 'account',
        what: 'ServiceAccount evenkeel/evenkeel not found',
        mend: expect.stringContaining('evenkeel hub manifests --only rbac | kubectl apply -f -') as string,
      },
    ]);
  });

  it('finds the ServiceAccount and its rights', async () => {
    const found = await findingsOf({ accountStatus: 200 });
    expect(found.map(({ state, about }) => [state, about])).toEqual([
      ['ok', 'account'],
      ['ok', 'rights'],
    ]);
    expect(found[0]?.what).toBe('ServiceAccount evenkeel/evenkeel is there');
  });

  it.each([undefined, 403])(
    'says nothing of the ServiceAccount where a request for it has the status %s',
    async (accountStatus) => {
      const found = await findingsOf({ ...(accountStatus !== undefined && { accountStatus }) });
      expect(found.map(({ state, about }) => [state, about])).toEqual([['ok', 'rights']]);
    },
  );

  it('names the rights that the account lacks', async () => {
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
  ])('asks %s for the rights of the account', async (_, username, review) => {
    const { hub, asked } = hubOf({ username });
    await checkHub(hub, { account, features: {} });
    expect([...asked]).toEqual([review]);
  });

  it('warns a user who may not ask for the rights of the account', async () => {
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

  it('fails where the hub does not answer for the rights', async () => {
    const rejection = new Fault('retryable', 'the hub is down', { reason: 'Http500' });
    await expect(findingsOf({ rejection })).rejects.toBe(rejection);
  });
});
