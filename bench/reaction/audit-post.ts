/** Audit events as an API server posts them, one at a time, so that the moment each is at the hook is known. */
import https from 'node:https';

export interface HookAddress {
  readonly port: number;
  readonly token: string;
  readonly cert: string;
  readonly hub: string;
}

/** Resolves when the hook has answered. */
export type Post = (rebalancer: string) => Promise<void>;

export function auditPoster({ port, token, cert, hub }: HookAddress): Post {
  const agent = new https.Agent({ keepAlive: true, ca: cert });
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return (rebalancer) => {
    const body = JSON.stringify(auditList(rebalancer, new Date()));
    return new Promise((resolve, reject) => {
      const to = { agent, host: '127.0.0.1', port, path: `/hubs/${hub}/audit`, method: 'POST' };
      const length = { 'content-length': Buffer.byteLength(body) };
      https
        .request({ ...to, headers: { ...headers, ...length } }, (response) => {
          const isTaken = response.statusCode === 200;
          const done = isTaken ? resolve : () => reject(new Error(`the hook answered ${response.statusCode}`));
          response.resume().once('end', done);
        })
        .once('error', reject)
        .end(body);
    });
  };
}

/** The audit event of the creation of a rebalancer, with the shipped audit policy. */
export function auditList(rebalancer: string, now: Date): object {
  const item = {
    kind: 'Event',
    apiVersion: 'audit.k8s.io/v1',
    level: 'Metadata',
    auditID: `bench-${rebalancer}`,
    stage: 'ResponseComplete',
    requestURI: '/apis/apps.karmada.io/v1alpha1/workloadrebalancers',
    verb: 'create',
    user: { username: 'admin', groups: ['system:masters', 'system:authenticated'] },
    objectRef: {
      resource: 'workloadrebalancers',
      name: rebalancer,
      apiGroup: 'apps.karmada.io',
      apiVersion: 'v1alpha1',
    },
    responseStatus: { metadata: {}, code: 201 },
    requestReceivedTimestamp: now.toISOString(),
    stageTimestamp: now.toISOString(),
  };
  return { kind: 'EventList', apiVersion: 'audit.k8s.io/v1', metadata: {}, items: [item] };
}
