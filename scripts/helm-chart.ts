/** The Helm chart of a hub, made from the manifests of each component. */

import { type HubFeature, hubFeatures } from '../shared/kubernetes/hub-features.ts';
import { type PrintedManifest, toYaml, yamlOf } from '../shared/manifests/to-yaml.ts';
import { allNeeds, type ComponentManifests, HOLD_POLICY, kindOf } from './feature-manifests.ts';

/** Helm keeps a CustomResourceDefinition with it: without, an uninstall would delete all objects of the kind. */
const KEEP = { 'helm.sh/resource-policy': 'keep' };

interface ChartInput {
  readonly base: readonly PrintedManifest[];
  readonly components: readonly ComponentManifests[];
  readonly version: string;
}

/** Paths in the chart and their content. */
export function helmChart({ base, components, version }: ChartInput): ReadonlyMap<string, string> {
  const features = [...new Set(components.map(({ feature }) => feature))];
  return new Map([
    ['Chart.yaml', chartFile(version)],
    ['values.yaml', values(features)],
    ['values.schema.json', `${JSON.stringify(valuesSchema(features), undefined, 2)}\n`],
    ['templates/NOTES.txt', notes(features)],
    ['templates/namespace.yaml', namespaceTemplate(base)],
    ['templates/base.yaml', template(base.filter((each) => kindOf(each) !== 'Namespace'))],
    ...components.map(({ name, feature, manifests }): [string, string] => [
      `templates/${name}.yaml`,
      `{{- if ${condition(name, feature)} }}\n${template(manifests)}{{- end }}\n`,
    ]),
  ]);
}

function condition(name: string, feature: HubFeature): string {
  return name === HOLD_POLICY ? `and .Values.features.${feature} .Values.holdPolicy` : `.Values.features.${feature}`;
}

function template(manifests: readonly PrintedManifest[]): string {
  const text = toYaml(manifests.map(kept));
  if (text.includes('{{')) throw new Error('a manifest contains {{, which Helm evaluates; escape it');
  return text;
}

function kept(manifest: PrintedManifest): PrintedManifest {
  if (kindOf(manifest) !== 'CustomResourceDefinition') return manifest;
  const { metadata, ...rest } = manifest.object as { readonly metadata: object };
  const { apiVersion, kind, ...others } = rest as Readonly<Record<string, unknown>>;
  return { ...manifest, object: { apiVersion, kind, metadata: { ...metadata, annotations: KEEP }, ...others } };
}

/** A namespace that holds the release exists before it, and Helm rejects to own it. */
function namespaceTemplate(base: readonly PrintedManifest[]): string {
  const text = template(base.filter((each) => kindOf(each) === 'Namespace'));
  return `{{- if ne .Release.Namespace "evenkeel" }}\n${text}{{- end }}\n`;
}

function chartFile(version: string): string {
  return yamlOf({
    apiVersion: 'v2',
    name: 'evenkeel',
    description: 'The objects that Evenkeel needs on a hub of Karmada or Open Cluster Management',
    type: 'application',
    version,
    appVersion: version,
    kubeVersion: '>=1.30.0-0',
  });
}

function values(features: readonly HubFeature[]): string {
  const lines = features.map((feature) => `  # ${hubFeatures[feature].description}\n  ${feature}: false`);
  return `# The features of the hub: the same as those of its registration (evenkeel hub add, evenkeel hub set).
features:
${lines.join('\n')}

# Whether gracefulReduction uses a MutatingAdmissionPolicy (kube-apiserver 1.34 or newer, with its feature gate).
# Where it is false, apply "evenkeel hub manifests --graceful-reduction --only hold-webhook".
holdPolicy: true
`;
}

function valuesSchema(features: readonly HubFeature[]): object {
  const on = (names: readonly HubFeature[]) => ({
    properties: Object.fromEntries(names.map((name) => [name, { const: true }])),
    required: names,
  });
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
    additionalProperties: false,
    properties: {
      global: { type: 'object', description: 'Values that a parent chart sets; not used.' },
      holdPolicy: { type: 'boolean', description: 'Whether gracefulReduction uses a MutatingAdmissionPolicy.' },
      features: {
        type: 'object',
        additionalProperties: false,
        properties: Object.fromEntries(
          features.map((name) => [name, { type: 'boolean', description: hubFeatures[name].description }]),
        ),
        allOf: features
          .filter((name) => allNeeds(name).length > 0)
          .map((name) => ({ if: on([name]), then: on(allNeeds(name)) })),
      },
    },
  };
}

function notes(features: readonly HubFeature[]): string {
  const flags = features.map((name) => `{{ if .Values.features.${name} }} ${hubFeatures[name].flag}{{ end }}`).join('');
  return `The hub has the objects that Evenkeel needs. Next, register it with its deployment:

  evenkeel hub add NAME --kubeconfig FILE --hook-token-file hook-token${flags}

Then check it:

  evenkeel hub check --kubeconfig FILE${flags}
{{ if and .Values.features.gracefulReduction (not .Values.holdPolicy) }}
Reductions are held only after this:

  evenkeel hub manifests --hub NAME --url HOOK_URL --hook-token-file hook-token --graceful-reduction --only hold-webhook | kubectl apply -f -
{{ end }}
The audit policy and webhook are files for flags of the API server: see docs/start/connect-a-hub.md, step 3.
CustomResourceDefinitions stay after an uninstall, with their objects.
`;
}
