import { describe, expect, it } from 'vitest';
import { parseSeconds } from '../../../cli/hub-options.ts';
import { namedWorkloads } from '../../../cli/rebalance/named-workloads.ts';
import { generatedName } from '../../../cli/rebalance/new-rebalancer.ts';

const usual = { given: undefined, usual: 'default' };
const firsts = (...words: readonly string[]) =>
  namedWorkloads(words, usual).map(({ bindings: [first] }) => `${first?.namespace}/${first?.name}`);

describe('a named workload', () => {
  it.each([
    ['deployment/web', 'default/web-deployment'],
    ['Deployment/web', 'default/web-deployment'],
    ['deploy/web', 'default/web-deployment'],
    ['deployment.apps/web', 'default/web-deployment'],
    ['deployment/shop/web', 'shop/web-deployment'],
    ['sts/shop/db', 'shop/db-statefulset'],
    ['ingress/web', 'default/web-ingress'],
    ['constructor/web', 'default/web-constructor'],
  ])('%s has the binding %s', (text, binding) => {
    expect(firsts(text)).toEqual([binding]);
  });

  it('may have a plural kind, or a kind that ends in s', () => {
    const names = (word: string) => namedWorkloads([word], usual)[0]?.bindings.map(({ name }) => name);
    expect(names('deployments/web')).toContain('web-deployment');
    expect(names('ingresses/web')).toContain('web-ingress');
    expect(names('networkpolicies/web')).toContain('web-networkpolicy');
  });

  it('may be cluster-scoped: its binding has no namespace, and a dot instead of a colon', () => {
    expect(namedWorkloads(['clusterrole/system:Reader'], usual)[0]?.bindings).toEqual([
      { namespace: 'default', name: 'system.reader-clusterrole' },
      { namespace: '', name: 'system.reader-clusterrole' },
    ]);
  });

  it('may be one of several after one kind, as in kubectl', () => {
    expect(firsts('deploy', 'web', 'api')).toEqual(['default/web-deployment', 'default/api-deployment']);
  });

  it('is in the namespace of -n', () => {
    const [named] = namedWorkloads(['deployment/web'], { given: 'shop', usual: 'shop' });
    expect(named?.bindings[0]).toEqual({ namespace: 'shop', name: 'web-deployment' });
  });

  it.each([
    ['web', '"web" is no workload; write KIND/NAME (deployment/web)'],
    ['deployment/', '"deployment/" is no workload; write KIND/NAME or KIND/NAMESPACE/NAME (deployment/web)'],
    ['a/b/c/d', '"a/b/c/d" is no workload; write KIND/NAME or KIND/NAMESPACE/NAME (deployment/web)'],
    ['a//c', '"a//c" is no workload; write KIND/NAME or KIND/NAMESPACE/NAME (deployment/web)'],
  ])('cannot be %s, and the error shows the format', (text, message) => {
    expect(() => namedWorkloads([text], usual)).toThrow(message);
  });

  it('is rejected if its namespace is not that of -n', () => {
    expect(() => namedWorkloads(['deployment/shop/web'], { given: 'jobs', usual: 'jobs' })).toThrow(
      'deployment/shop/web is in namespace shop, and -n is jobs; leave one of the two out',
    );
  });
});

describe('a duration', () => {
  it.each([
    ['300', 300],
    ['0', 0],
    ['90s', 90],
    ['5m', 300],
    ['1h30m', 5400],
    ['2d', 172_800],
  ])('%s is %i s', (text, seconds) => {
    expect(parseSeconds('--ttl', text)).toBe(seconds);
  });

  it.each(['', 'soon', '-5', '5 m', '5m!', '1.5h'])('%j is invalid', (text) => {
    expect(() => parseSeconds('--ttl', text)).toThrow(
      `--ttl ${JSON.stringify(text)} is not a time; write seconds (300), or one like 90s, 5m or 1h30m`,
    );
  });

  it('is at most the maximum of the field', () => {
    expect(parseSeconds('--ttl', '2147483647')).toBe(2_147_483_647);
    expect(() => parseSeconds('--ttl', '24856d')).toThrow('is more than 68 years');
  });
});

describe('a generated name', () => {
  it('has five random characters and no vowel', () => {
    expect(generatedName([26, 27, 28, 54, 0])).toBe('rebalance-9bcbb');
    expect(generatedName([0, 1, 2, 3, 4])).toBe('rebalance-bcdfg');
  });
});
