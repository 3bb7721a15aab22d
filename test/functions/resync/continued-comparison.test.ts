/** A comparison of every binding that a fault ends goes on in the next invocation. */
import { describe, expect, it } from 'vitest';
import { REDUCTION_STRATEGY } from '../../../shared/graceful-reduction/replica-reduction.ts';
import type { ApiRequest } from '../../../shared/kubernetes/client/transport.ts';
import { deployments } from '../../builders.ts';
import { slowDown } from '../../fakes/slow-hub.ts';
import { World } from '../../fakes/world.ts';

/** With 9.5 s a page, more than a function has time for. */
const PAGES = 14;
const PER_PAGE = 50;
/** How many pages of bindings find-unscheduled and find-reductions have read. */
const pagesIn = (sent: readonly ApiRequest[]) =>
  sent.filter(({ method, path }) => method === 'GET' && /\/resourcebindings\?limit=500/.test(path)).length;
const compared = (w: World) => w.reasons.filter((reason) => / bindings are due$/.test(reason));
const whole = (pages: number) =>
  ['0 of our 0 bindings are due', `0 of ${pages * PER_PAGE} bindings are due`].toSorted();

function hubWith(pages: number, options: Parameters<typeof slowDown>[1]) {
  const w = new World();
  w.bind(deployments(pages * PER_PAGE));
  return { w, sent: slowDown(w, { ...options, perPage: PER_PAGE }) };
}

describe('a comparison of every binding', () => {
  it('that takes longer than its function may run reads each page once', async () => {
    const { w, sent } = hubWith(PAGES, { latencyMs: 9500 });
    await w.resync();
    await w.pass(299);
    expect(compared(w).toSorted()).toEqual(whole(PAGES));
    expect(w.reasons.filter((reason) => reason === 'DeadlineExceeded')).toHaveLength(2);
    expect(pagesIn(sent)).toBe(2 * PAGES);
  });

  it('reads a page again whose response is an error, and none before it', async () => {
    let pages = 0;
    const { w, sent } = hubWith(4, {
      latencyMs: 10,
      answering: ({ path }, answer) =>
        /resourcebindings\?limit=500/.test(path) && ++pages > 5 && pages <= 7 ? { status: 500, body: {} } : answer(),
    });
    await w.resync();
    await w.pass(60);
    expect(compared(w).toSorted()).toEqual(whole(4));
    expect(pagesIn(sent)).toBe(2 * 4 + 2);
  });

  it('begins again if what its decisions depend on has changed since', async () => {
    const { w, sent } = hubWith(PAGES, { latencyMs: 9500 });
    await w.resync();
    await w.pass(110);
    w.store.create(
      'propagationpolicies',
      {
        ...{ apiVersion: 'policy.karmada.io/v1alpha1', kind: 'PropagationPolicy' },
        metadata: { namespace: 'shop', name: 'all', annotations: { [REDUCTION_STRATEGY]: 'Graceful' } },
        spec: { resourceSelectors: [{ apiVersion: 'apps/v1', kind: 'Deployment' }], placement: {} },
      },
      { username: 'a-user', manager: 'kubectl' },
    );
    await w.pass(180);
    expect(pagesIn(sent)).toBeGreaterThan(2 * PAGES + 5);
  });
});
