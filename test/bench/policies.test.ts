/** The requests to a hub for its policies; the benchmark measures their time. */
import { describe, expect, it } from 'vitest';
import { measureEvaluations } from '../../bench/policies/evaluations.ts';
import { cases } from '../depth.ts';

/** A page has 500. */
const WORKLOADS = cases({ few: 510, all: 1100 });

describe('one cluster event', () => {
  it(`costs a hub of ${WORKLOADS} workloads the same paged LISTs for ten policies as for one, and a status update for each changed policy`, async () => {
    const [one, ten] = await measureEvaluations(
      [
        { workloads: WORKLOADS, policies: 1 },
        { workloads: WORKLOADS, policies: 10 },
      ],
      1,
    );
    const pages = Math.ceil(WORKLOADS / 500);
    const lists = {
      'GET clusterresourcebindings': 1,
      'GET clusters': 1,
      'GET deployments': pages,
      'GET namespaces': 1,
      'GET rebalancepolicies': 1,
      'GET resourcebindings': pages,
    };
    expect(one?.requests).toEqual({ ...lists, 'PATCH rebalancepolicies/status': 1 });
    expect(ten?.requests).toEqual({ ...lists, 'PATCH rebalancepolicies/status': 10 });
  });
});
