/** `evenkeel plan --policy` on a hub over HTTP, and a comparison of its forecast with the practice scheduler. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type HubServer, startHubServer } from '../../local/practice-hub/hub-server.ts';
import {
  byAvailable,
  deployment as ofFleet,
  policy as placedBy,
  startPracticeFleet,
  three,
  user,
} from '../fakes/practice-fleet.ts';
import { workOf } from '../work.ts';
import { plan } from './plan-scene.ts';
import { deployment, failback, fleet, member, policy, scheduled } from './policy-scene.ts';

const folder = mkdtempSync(join(tmpdir(), 'evenkeel-policy-hub-'));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, content: object | string): string {
  const path = join(folder, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

interface Previewed {
  readonly waves: readonly {
    readonly number: number;
    readonly workloads: readonly {
      readonly workload: { readonly name: string };
      readonly next: Readonly<Record<string, number>>;
      readonly moves: number;
    }[];
  }[];
  readonly skipped: readonly { readonly workload: { readonly name: string }; readonly reason: string }[];
}

const movesIn = (out: string) =>
  (JSON.parse(out) as Previewed).waves.flatMap(({ number, workloads }) =>
    workloads.map(({ workload, moves }) => `${number} ${workload.name} ${moves}`),
  );
const skippedIn = (out: string) =>
  (JSON.parse(out) as Previewed).skipped.map(({ workload, reason }) => `${workload.name}: ${reason}`);

describe('evenkeel plan --policy on a hub', () => {
  let hub: HubServer;
  let kubeconfig: string;
  /** Creates an object with its status, which a hub accepts only in a second write. */
  const put = (object: object) => {
    const { kind, status } = object as { readonly kind: string; readonly status?: object };
    const plural = kind === 'RebalancePolicy' ? 'rebalancepolicies' : `${kind.toLowerCase()}s`;
    const { metadata } = hub.store.create(plural, object, user);
    const key = { namespace: metadata.namespace ?? '', name: metadata.name };
    if (status) hub.store.patch(plural, key, { type: 'merge', body: { status }, subresource: 'status' }, user);
  };
  const preview = (...args: readonly string[]) =>
    plan('--kubeconfig', kubeconfig, '--policy', 'failback', '-o', 'json', ...args);

  beforeEach(async () => {
    hub = await startHubServer({ port: 0 });
    kubeconfig = file('kubeconfig', hub.kubeconfig());
    put({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } });
    for (const object of fleet) put(object);
  });
  afterEach(() => hub.close());

  it('plans with the policy of the hub, and changes nothing there', async () => {
    put(failback);
    const everything = () =>
      ['resourcebindings', 'rebalancepolicies', 'workloadrebalancers'].map((plural) => hub.store.list(plural));
    const before = everything();
    const { code, out, errors } = await preview();
    expect([code, errors]).toEqual([3, []]);
    expect(movesIn(out)).toEqual(['1 api 2', '1 web 4']);
    expect(everything()).toEqual(before);
  });

  it('plans a policy from a file before it is created', async () => {
    const wish = file(
      'policy.json',
      policy({ triggers: { imbalance: { percent: 33 } }, strategy: { waves: { size: 1 } } }),
    );
    const { code, out, errors } = await preview('-f', wish);
    expect([code, errors, movesIn(out)]).toEqual([3, [], ['1 api 2', '2 web 4']]);
  });

  it('applies the labels and the opt-outs of workloads and namespaces on the hub', async () => {
    put(policy({ triggers: { clusterRecovered: {} }, selector: { labels: { matchLabels: { tier: 'front' } } } }));
    const spec = { replicas: 1, selector: { matchLabels: { a: 'b' } }, template: { metadata: { labels: { a: 'b' } } } };
    put({ ...deployment('web', { labels: { tier: 'front' } }), spec });
    put({ ...deployment('api', { labels: { tier: 'back' } }), spec });
    const first = await preview();
    expect([first.errors, movesIn(first.out)]).toEqual([[], ['1 web 4']]);
    const never = { metadata: { annotations: { 'evenkeel.dev/rebalancing': 'Never' } } };
    hub.store.patch('deployments', { namespace: 'shop', name: 'web' }, { type: 'merge', body: never }, user);
    expect(skippedIn((await preview()).out)).toEqual([
      'web: evenkeel.dev/rebalancing on the workload keeps policies away',
    ]);
    hub.store.patch('namespaces', { namespace: '', name: 'shop' }, { type: 'merge', body: never }, user);
    expect(skippedIn((await preview()).out)).toEqual([
      'web: evenkeel.dev/rebalancing on namespace shop keeps policies away',
    ]);
  });

  it('uses a cluster from a file instead of that of the hub', async () => {
    put(failback);
    const taints = [{ key: 'cluster.karmada.io/not-ready', effect: 'NoSchedule' }];
    hub.store.patch(
      'clusters',
      { namespace: '', name: 'member1' },
      { type: 'merge', body: { spec: { taints } } },
      user,
    );
    const asked = ['--trigger', 'ClusterRecovered=member1'];
    const down = await preview(...asked);
    expect([down.code, movesIn(down.out)]).toEqual([0, []]);
    const back = await preview(...asked, '-f', file('member1.json', member('member1')));
    expect([back.code, back.errors, movesIn(back.out)]).toEqual([3, [], ['1 api 2', '1 web 4']]);
  });

  it('reports objects that it cannot read, previews the rest and exits with 2', async () => {
    put(failback);
    put(member('member9', { spec: { taints: 'maintenance' } }));
    const { code, out, errors } = await preview();
    expect([code, movesIn(out)]).toEqual([2, ['1 api 2', '1 web 4']]);
    expect(errors).toEqual([
      expect.stringMatching(/^left out: Cluster member9 cannot be read: spec.taints: Invalid input/),
    ]);
  });

  it('reports that the hub has no such policy', async () => {
    expect(await preview()).toEqual({
      code: 2,
      out: '',
      errors: [
        `--policy failback: the hub of ${kubeconfig} has no RebalancePolicy of that name; name one it has, or give it with -f`,
      ],
    });
  });

  it('names the invalid field of the policy on the hub', async () => {
    put(policy({ triggers: { schedule: { cron: '0 25 * * *' } } }));
    const { code, errors } = await preview();
    expect(code).toBe(2);
    expect(errors.join('')).toMatch(
      /^RebalancePolicy failback of the hub: spec.triggers.schedule.cron: is "0 25 \* \* \*" \(.*\); write minute, hour, /,
    );
  });
});

describe('the preview of a policy', () => {
  it('matches the scheduler when a workload is triggered', async () => {
    const hub = startPracticeFleet({ members: three });
    for (const [name, replicas] of [
      ['web', 12],
      ['api', 7],
    ] as const) {
      hub.store.create('propagationpolicies', placedBy(name, byAvailable), user);
      hub.store.create('deployments', ofFleet(name, { replicas }), user);
      hub.clock.runAll();
    }
    hub.fleet.fail('member1');
    hub.clock.runAll();
    hub.fleet.recover('member1');
    hub.clock.runAll();
    const kinds = ['clusters', 'resourcebindings', 'deployments', 'namespaces'];
    const items = [...kinds.flatMap((plural) => [...hub.store.list(plural)]), failback];
    const path = file('fleet.json', { kind: 'List', apiVersion: 'v1', items });
    const { code, out, errors } = await plan('-f', path, '--policy', 'failback', '-o', 'json');
    expect([code, errors, movesIn(out).map((move) => move.split(' ')[1])]).toEqual([3, [], ['api', 'web']]);
    // The preview plans each workload on its own, so only one is triggered.
    const web = (JSON.parse(out) as Previewed).waves[0]?.workloads.find(({ workload }) => workload.name === 'web');
    hub.trigger('web', '2030-01-01T00:00:00Z');
    hub.clock.runAll();
    expect(hub.assigned('web')).toEqual(web?.next);
  });

  it('does the same work for each of 250 workloads on 100 clusters as for each of 50', async () => {
    const members = Array.from({ length: 100 }, (_, i) => member(`member${i}`, { pods: 200, allocated: i % 7 }));
    const planned = async (count: number) => {
      const workloads = Array.from({ length: count }, (_, i) =>
        scheduled(`w${i}`, { now: { [`member${i % 100}`]: 6, [`member${(i + 1) % 100}`]: 6 } }),
      );
      const path = file(`${count}.json`, {
        kind: 'List',
        apiVersion: 'v1',
        items: [...members, ...workloads, failback],
      });
      const { out } = await plan('-f', path, '--policy', 'failback', '-o', 'json');
      expect(movesIn(out)).toHaveLength(count);
    };
    const few = await workOf(() => planned(50));
    expect(await workOf(() => planned(250))).toBeLessThan(6 * few);
  });
});
