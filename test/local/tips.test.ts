import { describe, expect, it } from 'vitest';
import type { PracticeHub } from '../../local/practice.ts';
import { type Places, practiceTips } from '../../local/tips.ts';

const places = { stack: { hook: { url: 'http://127.0.0.1:7444' } }, data: undefined, page: 'http://127.0.0.1:7445' };

function tips(clusters: { memberNames?: string[]; managedClusters?: string[] }, data?: string): string {
  const { memberNames = [], managedClusters = [] } = clusters;
  const practice = {
    server: { url: 'http://127.0.0.1:7443' },
    fleet: { memberNames, managedClusters: { names: managedClusters } },
    kubeconfigFile: '/state/kubeconfig',
  };
  return practiceTips(practice as unknown as PracticeHub, { ...places, data } as unknown as Places);
}

describe('the first screen of a local run', () => {
  it('names the members of a Karmada hub, every address, and commands for Deployments', () => {
    const text = tips({ memberNames: ['member1', 'member2'] });
    expect(text).toContain('The practice hub is up, with members member1, member2.\n');
    expect(text).toContain('  page        http://127.0.0.1:7445\n');
    expect(text).toContain('  hub         http://127.0.0.1:7443\n');
    expect(text).toContain('  hook        http://127.0.0.1:7444\n');
    expect(text).toContain('export KUBECONFIG=/state/kubeconfig EVENKEEL_API=http://127.0.0.1:7445\n');
    expect(text).toContain('kubectl apply -f examples/web.yaml ');
    expect(text).not.toContain('kubectl get mcl');
  });

  it('names the managed clusters of an Open Cluster Management hub, and commands for ElasticWorkloads', () => {
    const text = tips({ managedClusters: ['paris', 'oslo'] });
    expect(text).toContain('The practice hub is up, with managed clusters paris, oslo.\n');
    expect(text).toContain('  kubectl get mcl ');
    expect(text).toContain('  kubectl scale ew shop --replicas 20 ');
    expect(text).not.toContain('examples/web.yaml');
  });

  it('shows whether the state survives the run', () => {
    expect(tips({})).toContain('  state       goes when this ends; --data DIR keeps it\n');
    expect(tips({}, './state')).toContain('  state       ./state (start again with the same --data to go on)\n');
  });
});
