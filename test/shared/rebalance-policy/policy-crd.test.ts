import { describe, expect, it } from 'vitest';
import { compileRules } from '../../../shared/admission/evaluate-rules.ts';
import {
  policyColumns,
  policyCrd,
  policyNameRule,
  policyNames,
  policyOpenApi,
} from '../../../shared/rebalance-policy/policy-crd.ts';
import { policyRules } from '../../../shared/rebalance-policy/policy-schema.ts';
import { parseRebalancePolicy } from '../../../shared/rebalance-policy/rebalance-policy.ts';
import { type Schema, unbounded } from '../kubernetes/crd-bounds.ts';
import { rejected, taken } from './policy-cases.ts';

const metadata = {
  name: 'p',
  uid: 'u',
  resourceVersion: '1',
  generation: 1,
  creationTimestamp: '2026-01-01T00:00:00Z',
};
const rules = policyRules('object.spec');

const when = { name: 'always', expression: 'true' };
const findings = rules.map((rule) => compileRules({ when, variables: [], rules: [rule] }));

function brokenRules(spec: object): readonly string[] {
  return findings.flatMap((find) => find({ object: { spec }, oldObject: null }).rejection ?? []);
}

/** Rules that come to no end, by their field: they read what is not there. */
function unevaluatedRules(spec: object): readonly string[] {
  return findings.flatMap((find) => find({ object: { spec }, oldObject: null }).unevaluated);
}

/** The causes that a user sees from the rules, without those of the schema. */
function ofRules(causes: readonly string[]): readonly string[] {
  return causes.flatMap((cause) => /: Invalid value: (spec\..*)/.exec(cause)?.[1] ?? []);
}

function parses(spec: object): boolean {
  try {
    parseRebalancePolicy({ metadata, spec });
    return true;
  } catch {
    return false;
  }
}

describe('the spec of a RebalancePolicy', () => {
  it.each(taken)('is read with $description as a hub stores it, and breaks no rule', ({ spec, stored }) => {
    expect(parseRebalancePolicy({ metadata, spec }).spec).toEqual(stored);
    expect([brokenRules(stored), unevaluatedRules(stored)]).toEqual([[], []]);
  });

  it.each(rejected)('with $description does not parse, or breaks a rule', ({ spec }) => {
    expect([parses(spec), brokenRules(spec)]).not.toEqual([true, []]);
  });

  it.each(rejected)('with $description breaks the rules, with the causes for the user', ({ spec, causes }) => {
    expect([...brokenRules(spec)].sort()).toEqual([...ofRules(causes)].sort());
  });

  it('has a bound for every list and string: an API server rejects unbounded rules for their estimated cost', () => {
    const { spec } = policyOpenApi.properties as { spec: Schema };
    expect(unbounded('spec', spec)).toEqual([]);
  });

  it('may be called by a name of 42 characters and no more', () => {
    const rule = policyNameRule('object');
    const find = compileRules({ when: { name: 'always', expression: 'true' }, variables: [], rules: [rule] });
    const rejection = (name: string) => find({ object: { metadata: { name } }, oldObject: null }).rejection;
    expect(rejection('x'.repeat(42))).toBeUndefined();
    expect(rejection('come-home-'.padEnd(43, 'x'))).toBe(
      `metadata.name is come-home-${'x'.repeat(33)}; give it a name of at most 42 characters, for the names of its waves begin with it`,
    );
  });
});

describe('the CustomResourceDefinition', () => {
  it('is one cluster-scoped kind with a status subresource', () => {
    expect(policyCrd()).toMatchObject({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'rebalancepolicies.evenkeel.dev' },
      spec: {
        group: 'evenkeel.dev',
        scope: 'Cluster',
        names: policyNames,
        versions: [{ name: 'v1alpha1', served: true, storage: true, subresources: { status: {} } }],
      },
    });
    expect(policyNames).toEqual({
      kind: 'RebalancePolicy',
      listKind: 'RebalancePolicyList',
      plural: 'rebalancepolicies',
      singular: 'rebalancepolicy',
      shortNames: ['rebp'],
      categories: ['evenkeel'],
    });
  });

  it('shows its progress in kubectl, and more with -o wide', () => {
    const lines = policyColumns.map(
      ({ name, type, jsonPath, priority = 0 }) => `${priority} ${name} ${type} ${jsonPath}`,
    );
    expect(lines).toEqual([
      '0 STATE string .status.state',
      '0 LAST-RUN string .status.lastRun.state',
      '0 WAVES integer .status.lastRun.waves',
      '0 DONE integer .status.lastRun.wavesDone',
      '0 MOVED integer .status.lastRun.moved',
      '0 SUSPEND boolean .spec.suspend',
      '1 DRY-RUN boolean .spec.dryRun',
      '1 SKIPPED integer .status.lastRun.skipped',
      '1 MESSAGE string .status.message',
      '0 NEXT string .status.nextScheduleTime',
      '0 AGE date .metadata.creationTimestamp',
    ]);
    expect(policyCrd()).toMatchObject({ spec: { versions: [{ additionalPrinterColumns: policyColumns }] } });
  });

  it('has the rules in its schema', () => {
    const text = JSON.stringify(policyCrd());
    for (const { expression, message } of [...policyRules('self'), policyNameRule('self')])
      for (const part of [expression, message]) expect(text).toContain(JSON.stringify(part).slice(1, -1));
  });

  it('has each rule at the field that it is about', () => {
    expect([...policyRules('self'), policyNameRule('self')].map(({ field }) => field)).toEqual([
      'spec.triggers',
      'spec.triggers.externalEvents',
      'spec.triggers.externalEvents',
      'spec.triggers',
      'spec.triggers.pressure',
      'spec.strategy.waves',
      'spec.strategy.order',
      'spec.strategy.order',
      'spec.strategy.waves.pause',
      'spec.strategy.waves.readyWithin',
      'spec.strategy.windows',
      'spec.triggers.clusterRecovered.stableFor',
      'spec.triggers.clusterJoined.stableFor',
      'spec.strategy.coolDown',
      'metadata.name',
    ]);
  });

  it('has a status with the last run', () => {
    const { status } = policyOpenApi.properties as { status: { properties: { lastRun: Schema } } };
    expect(Object.keys(status.properties.lastRun.properties ?? {})).toEqual([
      ...['name', 'triggers', 'state', 'message', 'startedAt', 'finishedAt'],
      ...['waves', 'wavesDone', 'workloads', 'moved', 'skipped'],
    ]);
  });
});
