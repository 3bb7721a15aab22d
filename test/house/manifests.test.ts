import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { components, manifestsWith } from '../../scripts/feature-manifests.ts';
import { manifestFiles } from '../../scripts/manifest-files.ts';
import { type HubFeatures, hubFeatureNames } from '../../shared/kubernetes/hub-features.ts';

const files = [...manifestFiles()];

function objectsIn(text: string): readonly unknown[] {
  return parseAllDocuments(text).map((document) => document.toJS() as unknown);
}

function sorted(objects: readonly unknown[]): readonly string[] {
  return objects.map((object) => JSON.stringify(object)).toSorted();
}

function expected(features: HubFeatures): readonly string[] {
  return sorted(manifestsWith(features).map(({ object }) => object));
}

describe('manifests/', () => {
  it('has exactly what npm run manifests generates', () => {
    for (const [path, text] of files) expect(text, path).toBe(readFileSync(`manifests/${path}`, 'utf8'));
  });

  it('has the objects of all features in the kustomize base and its components, each once', () => {
    const inFolder = files.filter(([path]) => /^kustomize\/.*objects\.yaml$/.test(path));
    const every = Object.fromEntries(hubFeatureNames.map((feature) => [feature, true]));
    expect(sorted(inFolder.flatMap(([, text]) => objectsIn(text)))).toEqual(expected(every));
  });

  it.each(components().map(({ feature, needs }) => ({ feature, needs })))(
    'has the objects of $feature in its components and those that it needs',
    ({ feature }) => {
      const chosen = new Set<string>();
      const add = (name: string) => {
        for (const each of components())
          if (each.feature === name && !chosen.has(each.name)) {
            chosen.add(each.name);
            for (const needed of components()) if (each.needs.includes(needed.name)) add(needed.feature);
          }
      };
      add(feature);
      const parts = ['base', ...[...chosen].map((name) => `components/${name}`)];
      const found = files.filter(([path]) => parts.some((part) => path === `kustomize/${part}/objects.yaml`));
      const flags = components().filter(({ name }) => chosen.has(name));
      const features = Object.fromEntries(flags.map((each) => [each.feature, true]));
      expect(sorted(found.flatMap(([, text]) => objectsIn(text)))).toEqual(expected(features));
    },
  );

  it('has no hook in the chart, and no feature that its schema lacks', () => {
    const chart = files.filter(([path]) => path.startsWith('chart/'));
    expect(chart.filter(([, text]) => text.includes('helm.sh/hook'))).toEqual([]);
    const schema = JSON.parse(new Map(files).get('chart/values.schema.json') ?? '') as {
      properties: { features: { properties: object } };
    };
    const inSchema = Object.keys(schema.properties.features.properties);
    expect(inSchema).toEqual([...new Set(components().map(({ feature }) => feature))]);
  });
});
