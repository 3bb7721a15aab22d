/** Replicas that users of a managed cluster scale between a reconcile's read and its write. */
import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../../../local/practice-hub/store/objects.ts';
import { user } from '../../fakes/practice-fleet.ts';
import { ElasticWorld } from './scene.ts';

interface Feedback {
  readonly name: string;
  readonly fieldValue: { readonly type: string; readonly integer: number };
}

interface WorkStatus {
  readonly resourceStatus: {
    readonly manifests: readonly { readonly statusFeedback: { readonly values: readonly Feedback[] } }[];
  };
}

/** The status in which the agent reports another number of replicas. */
function reporting({ status }: KubeObject, replicas: number): object {
  const { resourceStatus } = status as unknown as WorkStatus;
  const manifests = resourceStatus.manifests.map((manifest) => ({
    ...manifest,
    statusFeedback: {
      values: manifest.statusFeedback.values.map((value) => ({
        ...value,
        fieldValue: { ...value.fieldValue, integer: replicas },
      })),
    },
  }));
  return { status: { resourceStatus: { manifests } } };
}

describe('a replica count that a managed cluster reports between the read and the write of a reconcile', () => {
  it('is not written over: it is decided again', async () => {
    const world = new ElasticWorld();
    await world.pass(5);
    world.run('web', { total: 12 });
    await world.pass(30);
    const key = { namespace: 'spoke2', name: 'elasticworkload.shop.web' };
    world.hub.interference = {
      before({ verb, plural }) {
        if (verb !== 'apply' || plural !== 'manifestworks') return;
        world.hub.interference = {};
        world.fleet.managedClusters.scale('spoke2', { namespace: 'default', name: 'web' }, 1);
        const work = world.store.get('manifestworks', key);
        if (work === undefined) throw new Error('there is no work');
        const patch = { type: 'merge', body: reporting(work, 1), subresource: 'status' } as const;
        world.store.patch('manifestworks', key, patch, user);
      },
    };
    const inline = world.elasticObject('web')?.spec?.target as { inline: { metadata: object } };
    world.editElastic('web', {
      target: { inline: { ...inline.inline, metadata: { ...inline.inline.metadata, labels: { edition: '2' } } } },
    });
    await world.pass(40);
    expect(world.shown('web')).toEqual(['spoke1 4/4', 'spoke2 1/1', 'spoke3 4/4']);
    expect(world.deadLetters).toEqual([]);
  });
});
