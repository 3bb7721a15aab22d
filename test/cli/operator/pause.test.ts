/** `evenkeel pause` on a hub that holds replica reductions. */
import { describe, expect, it } from 'vitest';
import { heldLines } from '../../../cli/operator/hub-switches.ts';
import { heldWorld } from '../../functions/graceful-reduction/scene.ts';
import { commandOnWorld } from './command-on-world.ts';

const evenkeel = commandOnWorld(() => heldWorld());

describe('evenkeel pause', () => {
  it('lists the holds of the hub with their expiry and how to release them', async () => {
    const [paused, , description, head, ...rest] = (await evenkeel('pause')).trimEnd().split('\n');
    expect(paused).toMatch(/^karmada is paused since 2026-/);
    expect(description).toContain('is released by the first write of its binding after UNTIL');
    expect(head?.split(/ +/)).toEqual(['NAMESPACE', 'BINDING', 'CLUSTER', 'KEEPS', 'ASSIGNED', 'UNTIL']);
    expect(rest.slice(0, 2).map((row) => row.split(/ +/).slice(0, 5))).toEqual([
      ['shop', 'web-deployment', 'member2', '6', '4'],
      ['shop', 'web-deployment', 'member3', '6', '4'],
    ]);
    expect(rest.at(-1)).toContain('evenkeel release --all');
  });

  it('is the same below evenkeel hub, and so are resume and resync', async () => {
    expect(await evenkeel('hub', 'pause', 'karmada')).toMatch(/^karmada is paused since 2026-/);
    expect(await evenkeel('hub', 'resume', 'karmada')).toBe('karmada is resumed, and is compared now.\n');
    expect(await evenkeel('hub', 'resync', 'karmada')).toContain('karmada is compared now');
  });

  it('releases what the hub holds with --release-holds', async () => {
    const [, released, ...rest] = (await evenkeel('pause', '--release-holds')).trimEnd().split('\n');
    expect([released, rest]).toEqual(['2 held replica reductions are released.', []]);
  });
});

describe('ElasticWorkloads with our finalizer', () => {
  const kept = { group: 'workload.open-cluster-management.io', namespace: 'shop', name: 'web' };

  it('are counted, and those that are being deleted are shown with the command that ends the wait', () => {
    const deleting = { ...kept, name: 'old', deleting: '2026-11-21T10:00:00Z' };
    expect(heldLines({ reductions: [], elasticWorkloads: [kept, deleting] }).slice(1)).toEqual([
      '2 ElasticWorkloads have the finalizer evenkeel.dev/elastic-workload: deleting one takes effect when the hub is resumed.',
      '1 of them wait for that. To end the wait, which leaves their ManifestWorks to you:',
      `  kubectl patch elasticworkloads.workload.open-cluster-management.io -n shop old --type=merge -p '{"metadata":{"finalizers":null}}'`,
    ]);
  });

  it('are not mentioned if there are none', () => {
    expect(heldLines({ reductions: [], elasticWorkloads: [] })).toEqual([]);
  });
});
