/** The requests to a hub for its policies; the benchmark measures their time. */
import { describe, expect, it } from 'vitest';
import { measureEvaluations } from '../../bench/policies/evaluations.ts';

describe('one cluster event', () => {
  it('costs a hub of 1,100 workloads the same paged LISTs for ten policies as for one, and a status update for each changed policy', async () => {
    const [one, ten] = await measureEvaluations(
      [
        { workloads: 1100, policies: 1 },
        { workloads: 1100, policies: 10 },
      ],
      1,
    );
    const lists = {
      'GET clusterresourcebindings': 1,
      'GET clusters': 1,
      'GET deployments': 3,
      'GET namespaces': 1,
      'GET rebalancepolicies': 1,
      'GET resourcebindings': 3,
    };
    expect(one?.requests).toEqual({ ...lists, 'PATCH rebalancepolicies/status': 1 });
    expect(ten?.requests).toEqual({ ...lists, 'PATCH rebalancepolicies/status': 10 });
  });
});
