/** `evenkeel plan --compare`: a saved plan and the fleet after the rebalance. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { binding, cluster, plan } from './plan-scene.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'evenkeel-compare-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, content: unknown): string {
  const path = join(folder, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

const fleet = (...items: readonly object[]) => file('fleet.json', { apiVersion: 'v1', kind: 'List', items });
const clusters = [cluster('member1'), cluster('member2', { allocated: 6 }), cluster('member3', { allocated: 6 })];
const scheduledAt = (object: object, lastScheduledTime: string, spec: object = {}): object => {
  const { spec: before } = object as { spec: object };
  return { ...object, spec: { ...before, ...spec }, status: { lastScheduledTime } };
};
const [BEFORE, AFTER] = ['2026-11-21T10:00:00Z', '2026-11-21T11:00:00Z'];
const web = binding('web', { now: { member2: 6, member3: 6 } });
const spread = (...numbers: readonly number[]) =>
  numbers.flatMap((replicas, i) => (replicas === 0 ? [] : [{ name: `member${i + 1}`, replicas }]));

/** Saves the plan of these objects. */
async function savedPlan(...objects: readonly object[]): Promise<string> {
  const { out } = await plan('-f', fleet(...objects), '-o', 'json');
  return file('plan.json', out);
}

describe('a comparison with a saved plan', () => {
  it('finds every replica on its cluster, and exits with 0', async () => {
    const saved = await savedPlan(...clusters, scheduledAt(web, BEFORE));
    const after = scheduledAt(web, AFTER, { clusters: spread(4, 4, 4) });
    const { out, code, errors } = await plan('--compare', saved, '-f', fleet(...clusters, after));
    expect(out).toBe('12 of 12 replicas are on the clusters of the plan (100.0 %); 1 of 1 bindings are as planned.\n');
    expect([code, errors]).toEqual([0, []]);
  });

  it.each<[string, readonly object[], string]>([
    ['its binding is gone', clusters, 'nowhere'],
    ['it was not rescheduled after the plan', [...clusters, scheduledAt(web, BEFORE)], 'member2 6, member3 6'],
    [
      'it has 9 replicas, and had 12 in the plan',
      [...clusters, scheduledAt(web, AFTER, { replicas: 9, clusters: spread(3, 3, 3) })],
      'member1 3, member2 3, member3 3',
    ],
    [
      'its placement has changed',
      [...clusters, scheduledAt(web, AFTER, { placement: {}, clusters: spread(12, 12, 12) })],
      'member1 12, member2 12, member3 12',
    ],
    [
      'cluster member1 is gone',
      [...clusters.slice(1), scheduledAt(web, AFTER, { clusters: spread(0, 6, 6) })],
      'member2 6, member3 6',
    ],
    [
      'member1: cluster(s) had untolerated taint {maintenance:NoSchedule}',
      [
        cluster('member1', { taints: [{ key: 'maintenance', effect: 'NoSchedule' }] }),
        ...clusters.slice(1),
        scheduledAt(web, AFTER, { clusters: spread(0, 6, 6) }),
      ],
      'member2 6, member3 6',
    ],
    [
      'member1 has capacity for 1 more, and 2 are missing',
      [
        cluster('member1', { pods: 20, allocated: 19 }),
        ...clusters.slice(1),
        scheduledAt(web, AFTER, { clusters: spread(2, 5, 5) }),
      ],
      'member1 2, member2 5, member3 5',
    ],
    [
      'the clusters reported other capacities when it was scheduled',
      [...clusters, scheduledAt(web, AFTER, { clusters: spread(5, 4, 3) })],
      'member1 5, member2 4, member3 3',
    ],
  ])('explains a difference: %s', async (why, now, shown) => {
    const saved = await savedPlan(...clusters, scheduledAt(web, BEFORE));
    const { out, code } = await plan('--compare', saved, '-f', fleet(...now));
    const row = ['shop', 'web-deployment', 'member1 4, member2 4, member3 4', shown, why];
    expect(out.split('\n')[1]?.trim().split(/ {2,}/)).toEqual(row);
    expect(code).toBe(3);
  });

  it('is a document too, of the bindings that the plan assigned', async () => {
    const lost = binding('lost', { replicas: 900 });
    const saved = await savedPlan(...clusters, scheduledAt(web, BEFORE), lost);
    const after = scheduledAt(web, AFTER, { clusters: spread(5, 4, 3) });
    const { out } = await plan('--compare', saved, '-o', 'json', '-f', fleet(...clusters, after));
    expect(JSON.parse(out)).toEqual({
      bindings: [
        {
          namespace: 'shop',
          name: 'web-deployment',
          planned: { member1: 4, member2: 4, member3: 4 },
          now: { member1: 5, member2: 4, member3: 3 },
          asPlanned: 11,
          why: 'the clusters reported other capacities when it was scheduled',
        },
      ],
    });
  });

  it('is limited to a namespace by -n, and to no names', async () => {
    const other = binding('web', { namespace: 'other', now: { member2: 12 } });
    const saved = await savedPlan(...clusters, scheduledAt(web, BEFORE), scheduledAt(other, BEFORE));
    const now = fleet(...clusters, scheduledAt(web, BEFORE), scheduledAt(other, BEFORE));
    const { out } = await plan('--compare', saved, '-n', 'other', '-f', now);
    expect(out).toContain('0 of 1 bindings are as planned');
    const { code, errors } = await plan('--compare', saved, '-f', now, 'web');
    expect([code, errors]).toEqual([2, ['web goes without --compare, which compares every binding of the saved plan']]);
  });

  it.each([
    [
      'of another format',
      { bindings: [{ name: 'web-deployment' }] },
      /^--compare \S+: bindings\.0\.namespace: .*; give a plan that/,
    ],
    ['that is no object', 'text', /^--compare \S+: the document: .*; give a plan that/],
  ])('rejects a file %s', async (_, content, error) => {
    const { code, errors } = await plan('--compare', file('other.json', content), '-f', fleet(...clusters));
    expect([code, errors]).toEqual([2, [expect.stringMatching(error)]]);
  });

  it('rejects a file that is not there', async () => {
    const { errors } = await plan('--compare', join(folder, 'none.json'), '-f', fleet(...clusters));
    expect(errors).toEqual([expect.stringMatching(/cannot be read \(ENOENT\); name a plan that was saved$/)]);
  });
});
