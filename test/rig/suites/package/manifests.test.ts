/** The Helm chart and the kustomize folders, rendered by Helm and kubectl, against what the command line prints. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { allNeeds, components, manifestsWith } from '../../../../scripts/feature-manifests.ts';
import { type HubFeature, hubFeatures } from '../../../../shared/kubernetes/hub-features.ts';
import { binary } from '../../cache/go-binaries.ts';
import { run } from '../../command.ts';

const CHART = 'manifests/chart';
const chartFeatures = [...new Set(components().map(({ feature }) => feature))];
const cases: readonly (readonly [string, readonly HubFeature[]])[] = [
  ['no feature', []],
  ...chartFeatures.map((feature): [string, HubFeature[]] => [
    hubFeatures[feature].flag,
    [...allNeeds(feature), feature],
  ]),
  ['every feature', chartFeatures],
];

interface Rendered {
  readonly kind: string;
  readonly metadata: { readonly annotations?: Readonly<Record<string, string>> };
}

/** Without the annotation with which Helm keeps a CustomResourceDefinition. */
function comparable(text: string): readonly string[] {
  return parseAllDocuments(text)
    .map((document) => document.toJS() as Rendered | null)
    .filter((object) => object !== null)
    .map(({ metadata: { annotations: _, ...metadata }, ...object }) => canonical({ ...object, metadata }))
    .toSorted();
}

/** With the keys of each object in order. */
function canonical(object: unknown): string {
  return JSON.stringify(object, (_, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
}

function expected(features: readonly HubFeature[]): readonly string[] {
  const given = Object.fromEntries(features.map((feature) => [feature, true]));
  return manifestsWith(given)
    .map(({ object }) => canonical(object))
    .toSorted();
}

describe('the Helm chart', () => {
  let helm: string;
  beforeAll(async () => {
    helm = await binary('helm');
  });

  const template = (...args: readonly string[]) =>
    run(helm, ['template', 'evenkeel', CHART, '--kube-version', '1.34.0', ...args]);
  const set = (features: readonly HubFeature[]) => features.flatMap((name) => ['--set', `features.${name}=true`]);

  it('passes helm lint --strict', async () => {
    await run(helm, ['lint', '--strict', '--kube-version', '1.34.0', CHART]);
  });

  it.each(cases)('renders for %s what the command line prints', async (_, features) => {
    expect(comparable(await template(...set(features)))).toEqual(expected(features));
  });

  it('keeps every CustomResourceDefinition after an uninstall', async () => {
    const rendered = parseAllDocuments(await template(...set(chartFeatures))).map((each) => each.toJS() as Rendered);
    const kept = rendered.filter(({ metadata }) => metadata.annotations?.['helm.sh/resource-policy'] === 'keep');
    expect(kept.map(({ kind }) => kind)).toEqual(
      rendered.map(({ kind }) => kind).filter((kind) => kind === 'CustomResourceDefinition'),
    );
  });

  it('renders no Namespace for a release in that namespace', async () => {
    expect(await template('--namespace', 'evenkeel')).not.toContain('kind: Namespace');
  });

  it('rejects a feature without those that it needs, and an unknown feature', async () => {
    await expect(template('--set', 'features.drains=true')).rejects.toThrow('gracefulReduction');
    await expect(template('--set', 'features.drain=true')).rejects.toThrow('drain');
  });
});

describe('kustomize', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kustomize-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each(cases)('builds for %s what the command line prints', async (_, features) => {
    const kubectl = await binary('kubectl');
    const chosen = components().filter(({ feature }) => features.includes(feature));
    const path = (part: string) => relative(folder, `manifests/kustomize/${part}`);
    const kustomization = {
      apiVersion: 'kustomize.config.k8s.io/v1beta1',
      kind: 'Kustomization',
      resources: [path('base')],
      components: chosen.map(({ name }) => path(`components/${name}`)),
    };
    writeFileSync(join(folder, 'kustomization.yaml'), JSON.stringify(kustomization));
    expect(comparable(await run(kubectl, ['kustomize', folder]))).toEqual(expected(features));
  });
});
