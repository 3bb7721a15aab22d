import { describe, expect, it } from 'vitest';
import { readMetrics, useBetween } from '../../bench/rebalance/api-metrics.ts';

const before = `# HELP apiserver_request_total Counter of apiserver requests
apiserver_request_total{code="200",component="apiserver",dry_run="",group="work.karmada.io",resource="resourcebindings",scope="resource",subresource="",verb="PATCH",version="v1alpha2"} 7
apiserver_request_total{code="200",component="apiserver",dry_run="",group="coordination.k8s.io",resource="leases",scope="resource",subresource="",verb="PUT",version="v1"} 5
apiserver_request_body_size_bytes_sum{group="work.karmada.io",resource="resourcebindings",verb="patch"} 700
`;
const after = `apiserver_request_total{code="200",component="apiserver",dry_run="",group="work.karmada.io",resource="resourcebindings",scope="resource",subresource="",verb="PATCH",version="v1alpha2"} 106
apiserver_request_total{code="409",component="apiserver",dry_run="",group="work.karmada.io",resource="resourcebindings",scope="resource",subresource="",verb="PATCH",version="v1alpha2"} 1
apiserver_request_total{code="200",component="apiserver",dry_run="",group="apps.karmada.io",resource="workloadrebalancers",scope="resource",subresource="status",verb="PATCH",version="v1alpha1"} 2
apiserver_request_total{code="201",component="apiserver",dry_run="",group="apps.karmada.io",resource="workloadrebalancers",scope="resource",subresource="",verb="POST",version="v1alpha1"} 1
apiserver_request_total{code="200",component="apiserver",dry_run="",group="coordination.k8s.io",resource="leases",scope="resource",subresource="",verb="PUT",version="v1"} 9
apiserver_request_body_size_bytes_sum{group="work.karmada.io",resource="resourcebindings",verb="patch"} 1.07e+04
apiserver_response_sizes_sum{component="apiserver",group="work.karmada.io",resource="resourcebindings",scope="namespace",subresource="",verb="LIST",version="v1alpha2"} 5000
apiserver_response_sizes_count{component="apiserver",group="work.karmada.io",resource="resourcebindings",scope="namespace",subresource="",verb="LIST",version="v1alpha2"} 1
`;

describe('the metrics of an API server', () => {
  const use = useBetween(readMetrics(before), readMetrics(after), { 'POST workloadrebalancers': 1 });

  it('count the requests between two readings by verb and resource, without those of the bench itself and those for kinds of other APIs', () => {
    expect(use.requests).toEqual({ 'PATCH resourcebindings': 100, 'PATCH workloadrebalancers/status': 2 });
    expect(use.total).toBe(102);
  });

  it('sum up the bytes of request bodies and of responses', () => {
    expect(use).toMatchObject({ sentBytes: 10_000, readBytes: 5000 });
  });
});
