/** A comparison of every binding that a fault ends goes on in the next invocation. */
import { describe, expect, it } from 'vitest';
import { REDUCTION_STRATEGY } from '../../../shared/graceful-reduction/replica-reduction.ts';
import type { ApiRequest } from '../../../shared/kubernetes/client/transport.ts';
import { deployments } from '../../builders.ts';
import { slowDown } from '../../fakes/slow-hub.ts';
import { World } from '../../fakes/world.ts';

const PAGES = 14;
const workloads = deployments(PAGES * 500);
/** How many pages of bindings find-unscheduled and find-reductions have read. */
const pagesIn = (sent: readonly ApiRequest[]) =>
  sent.filter(({ method, path }) => method === 'GET' && /\/resourcebindings\?limit=500/.test(path)).length;
const compared = (w: World) => w.reasons.filter((reason) => / bindings are due$/.test(reason));
const whole = ['0 of our 0 bindings are due', `0 of ${workloads.length} bindings are due`];

function hubWith(latencyMs: number, answering?: Parameters<typeof slowDown>[1]['answering']) {
  const w = new World();
  w.bind(workloads);
  const sent = slowDown(w, { latencyMs, ...(answering && { answering }) });
  return { w, sent };
}

describe('a comparison of every binding', () => {
  it('that takes longer than its function may run reads each page once', async () => {
    const { w, sent } = hubWith(9500);
    await w.resync();
    await w.pass(299);
    expect(compared(w).toSorted()).toEqual(whole.toSorted());
    expect(w.reasons.filter((reason) => reason === 'DeadlineExceeded')).toHaveLength(2);
    expect(pagesIn(sent)).toBe(2 * PAGES);
  });

  it('reads a page again whose response is an error, and none before it', async () => {
    let pages = 0;
    const { w, sent } = hubWith(10, ({ path }, answer) =>
      /resourcebindings\?limit=500/.test(path) && ++pages > 15 && pages <= 17 ? { status: 500, body: {} } : answer(),
    );
    await w.resync();
    await w.pass(60);
    expect(compared(w).toSorted()).toEqual(whole.toSorted());
    expect(pagesIn(sent)).toBe(2 * PAGES + 2);
  });

  it('begins again if what its decisions depend on has changed since', async () => {
    const { w, sent } = hubWith(9500);
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
