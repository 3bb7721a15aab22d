import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { type FunctionDefinition, functionNames, functions } from '../../../shared/bus/functions.ts';
import { holdRules } from '../../../shared/graceful-reduction/hold-rules.ts';
import { bindingReductionRules, policyReductionRules } from '../../../shared/graceful-reduction/reduction-rules.ts';
import { reviewKeyOf } from '../../../shared/kubernetes/hook-callers.ts';
import { hubFeatureNames } from '../../../shared/kubernetes/hub-features.ts';
import { manifestsOf } from '../../../shared/manifests/parts.ts';
import { parseTarget, type TargetInput } from '../../../shared/manifests/target.ts';
import { waveRules } from '../../../shared/rebalance-policy/wave-rules.ts';
import { rebalancerRules } from '../../../shared/workload-rebalancer/rebalancer-rules.ts';

const ca = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n';
const given: TargetInput = { hub: 'karmada', account: 'evenkeel/evenkeel', url: 'https://hook.example' };

interface KubernetesObject {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly spec: Record<string, unknown>;
  readonly rules: readonly { apiGroups: string[]; resources: string[]; verbs: string[]; resourceNames?: string[] }[];
  readonly webhooks: readonly {
    clientConfig: { url: string; caBundle?: string };
    failurePolicy: string;
    rules: readonly { resources: readonly string[] }[];
  }[];
  readonly data: Readonly<Record<string, string>>;
}

function objects(only: readonly string[], over: Partial<TargetInput> = {}): readonly KubernetesObject[] {
  return parseAllDocuments(manifestsOf(parseTarget({ ...given, ...over }), only)).map(
    (document) => document.toJS() as KubernetesObject,
  );
}

function one(kind: string, only: readonly string[], over: Partial<TargetInput> = {}): KubernetesObject {
  const found = objects(only, over).filter((object) => object.kind === kind);
  if (found.length !== 1 || !found[0]) throw new Error(`${found.length} objects of kind ${kind}`);
  return found[0];
}

/** Of all ClusterRoles of a part, those of every hub first. */
function rulesGranted(part: string, over: Partial<TargetInput>): KubernetesObject['rules'] {
  const roles = objects([part], over).filter(({ kind }) => kind === 'ClusterRole');
  return roles
    .toSorted((a, b) => Number(a.metadata.name.includes(':')) - Number(b.metadata.name.includes(':')))
    .flatMap(({ rules }) => rules);
}

/** "list clusters": what the functions may do on the hub. */
function verbsGranted(over: Partial<TargetInput>): readonly string[] {
  return [
    ...new Set(
      rulesGranted('rbac', over).flatMap(({ resources, verbs }) => verbs.map((verb) => `${verb} ${resources.join()}`)),
    ),
  ];
}

/** "ClusterRole evenkeel", without the roles of features. */
const namesWith = (over: Partial<TargetInput>) =>
  objects([], over)
    .map(({ kind, metadata: { name } }) => `${kind} ${name}`)
    .filter((name) => !/^ClusterRole.*:/.test(name));

const named = (only: readonly string[]) => objects(only).map(({ kind, metadata: { name } }) => `${kind} ${name}`);

describe('the manifests of a hub', () => {
  it('are these, in an order in which they can be applied', () => {
    expect(named([])).toEqual([
      'Namespace evenkeel',
      'ServiceAccount evenkeel',
      'ClusterRole evenkeel',
      'ClusterRoleBinding evenkeel',
      'Role evenkeel',
      'RoleBinding evenkeel',
      'PriorityLevelConfiguration evenkeel',
      'FlowSchema evenkeel',
      'ValidatingAdmissionPolicy evenkeel-workloadrebalancers',
      'ValidatingAdmissionPolicyBinding evenkeel-workloadrebalancers',
      'ValidatingAdmissionPolicy evenkeel-rebalance-waves',
      'ValidatingAdmissionPolicyBinding evenkeel-rebalance-waves',
      'Secret evenkeel-audit',
    ]);
  });

  it('begin with the kind RebalancePolicy where policies are used', () => {
    expect(namesWith({ policies: true })).toEqual([
      'CustomResourceDefinition rebalancepolicies.evenkeel.dev',
      ...named([]),
    ]);
  });

  it('begin with the kind ElasticWorkload, in both of its groups, where workloads are elastic', () => {
    expect(namesWith({ elasticWorkloads: true })).toEqual([
      'CustomResourceDefinition elasticworkloads.workload.open-cluster-management.io',
      'CustomResourceDefinition elasticworkloads.scheduling.open-cluster-management.io',
      ...named([]),
    ]);
  });

  it('let ManifestWorks be written, and nothing else be changed, only where workloads are elastic', () => {
    const without = verbsGranted({});
    const granted = verbsGranted({ elasticWorkloads: true }).filter((verb) => !without.includes(verb));
    expect([...new Set(granted)].filter((verb) => !/^(get|list) /.test(verb)).toSorted()).toEqual([
      'create manifestworks',
      'delete manifestworks',
      'patch elasticworkloads',
      'patch elasticworkloads/status',
      'patch manifestworks',
    ]);
  });

  it('let the functions create WorkloadRebalancers and ClusterDrains for users only with --create-rebalancers', () => {
    const without = verbsGranted({});
    expect(verbsGranted({ createRebalancers: true }).filter((granted) => !without.includes(granted))).toEqual([
      'create workloadrebalancers',
      'create clusterdrains',
      'delete clusterdrains',
      'get clusterdrains',
      'list clusterdrains',
    ]);
  });

  it('let policies be followed, and rebalancers be made for them, only where that is asked for', () => {
    const without = verbsGranted({});
    expect(verbsGranted({ policies: true }).filter((granted) => !without.includes(granted))).toEqual([
      'get rebalancepolicies',
      'list rebalancepolicies',
      'patch rebalancepolicies/status',
      'get deployments',
      'list deployments',
      'get statefulsets',
      'list statefulsets',
      'get jobs',
      'list jobs',
      'list priorityclasses',
      'create workloadrebalancers',
    ]);
    expect(without).toEqual(expect.arrayContaining(['list clusters', 'get namespaces', 'list resourcebindings']));
  });

  it('let pods be counted in the members only where that is asked for', () => {
    const without = verbsGranted({});
    expect(verbsGranted({ countPods: true }).filter((granted) => !without.includes(granted))).toEqual([
      'get deployments',
      'get statefulsets',
      'get jobs',
      'get clusters/proxy',
    ]);
  });

  it('for a member let the account list pods there, by the name in which the proxy of the hub acts', () => {
    expect(one('ClusterRole', ['member-rbac']).rules).toEqual([
      { apiGroups: [''], resources: ['pods'], verbs: ['list'] },
    ]);
    expect(one('ClusterRoleBinding', ['member-rbac'], { account: 'tools/mover' })).toMatchObject({
      metadata: { name: 'mover-count-pods' },
      roleRef: { kind: 'ClusterRole', name: 'mover-count-pods' },
      subjects: [{ kind: 'User', name: 'system:serviceaccount:tools:mover' }],
    });
  });

  it('are only those that are asked for', () => {
    expect(named(['flow-schema', 'admission-webhook'])).toEqual([
      'PriorityLevelConfiguration evenkeel',
      'FlowSchema evenkeel',
      'ValidatingWebhookConfiguration evenkeel-workloadrebalancers',
    ]);
  });

  it('are the same text each time', () => {
    expect(manifestsOf(parseTarget(given))).toBe(manifestsOf(parseTarget(given)));
  });

  it('are for the account that is named, wherever it stands', () => {
    const text = manifestsOf(parseTarget({ ...given, account: 'tools/mover' }), ['rbac', 'flow-schema']);
    expect(text.replaceAll(/app\.kubernetes\.io\/\S+: evenkeel/g, '')).not.toMatch(/evenkeel(?!\.dev)/);
    expect(one('FlowSchema', ['flow-schema'], { account: 'tools/mover' }).spec.rules).toMatchObject([
      { subjects: [{ kind: 'ServiceAccount', serviceAccount: { namespace: 'tools', name: 'mover' } }] },
    ]);
  });
});

const everyFeature = Object.fromEntries(hubFeatureNames.map((feature) => [feature, true]));

/** What is left on a hub after the manifests are applied one after the other: an object replaces the one of its name. */
function appliedRights(part: string, ...applied: readonly Partial<TargetInput>[]): readonly string[] {
  const onHub = new Map<string, KubernetesObject>();
  for (const over of applied)
    for (const object of objects([part], over)) onHub.set(`${object.kind} ${object.metadata.name}`, object);
  return [...onHub.values()].flatMap((role) =>
    role.kind === 'ClusterRole' && onHub.has(`ClusterRoleBinding ${role.metadata.name}`)
      ? role.rules.flatMap(({ apiGroups, resources, verbs }) =>
          verbs.map((verb) => `${verb} ${resources.join()}.${apiGroups.join()}`),
        )
      : [],
  );
}

describe('features of manifests that are applied one after the other', () => {
  const each = hubFeatureNames.map((feature) => ({ [feature]: true }));

  it.each(['rbac', 'bridge'])('keep their rights in %s: the result is that of all features at once', (part) => {
    const atOnce = appliedRights(part, everyFeature);
    expect(new Set(appliedRights(part, ...each, {}))).toEqual(new Set(atOnce));
  });

  it('keep the webhook that validates reduction strategies', () => {
    const names = (over: Partial<TargetInput>) =>
      objects(['admission-webhook'], over).map(({ metadata }) => metadata.name);
    expect(names({ gracefulReduction: true })).toEqual([...names({}), 'evenkeel-reduction-strategies']);
  });
});

describe('the labels of objects', () => {
  const labelsOf = (object: KubernetesObject) => (object.metadata as unknown as { labels: object }).labels;

  it('name Evenkeel on every object, and the part and the account on objects of one account', () => {
    const shared = {
      'app.kubernetes.io/name': 'evenkeel',
      'app.kubernetes.io/part-of': 'evenkeel',
      'app.kubernetes.io/managed-by': 'evenkeel',
    };
    const all = objects([], { ...everyFeature, account: 'tools/mover' });
    for (const object of all) {
      const isShared = ['Namespace', 'CustomResourceDefinition'].includes(object.kind);
      const own = {
        'app.kubernetes.io/instance': 'mover',
        'app.kubernetes.io/component': expect.any(String) as string,
      };
      expect(labelsOf(object)).toEqual({ ...shared, ...(isShared ? {} : own) });
    }
    expect(labelsOf(one('FlowSchema', ['flow-schema']))).toHaveProperty(['app.kubernetes.io/component'], 'flow-schema');
  });
});

describe('rbac', () => {
  const asked = functionNames.flatMap((name) => (functions[name] as FunctionDefinition).hub);

  it('grants on the hub exactly the access that the table of functions declares', () => {
    const everyUse = {
      countPods: true,
      policies: true,
      drains: true,
      budgets: true,
      gracefulReduction: true,
      externalEvents: true,
      elasticWorkloads: true,
      createRebalancers: true,
    };
    const granted = rulesGranted('rbac', everyUse).flatMap(({ apiGroups, resources, verbs }) =>
      verbs.map((verb) => `${verb} ${resources.join()}.${apiGroups.join()}`),
    );
    const needed = asked
      .filter(({ ofOwnAccount }) => !ofOwnAccount)
      .flatMap(({ group, resource, verbs }) => verbs.map((verb) => `${verb} ${resource}.${group}`));
    expect([...new Set(granted)].toSorted()).toEqual([...new Set(needed)].toSorted());
  });

  it('grants on the account itself nothing beyond its own name and namespace', () => {
    const { metadata, rules } = one('Role', ['rbac'], { account: 'tools/mover' });
    expect(metadata).toMatchObject({ name: 'mover', namespace: 'tools' });
    expect(rules).toEqual([
      { apiGroups: [''], resources: ['serviceaccounts/token'], resourceNames: ['mover'], verbs: ['create'] },
    ]);
  });
});

describe('the bridge', () => {
  it('may watch bindings where our scheduler is used, clusters where policies are, and there alone', () => {
    const watched = (over: Partial<TargetInput>) => rulesGranted('bridge', over).flatMap(({ resources }) => resources);
    const always = ['workloadrebalancers'];
    expect(watched({})).toEqual(always);
    expect(watched({ scheduler: true })).toEqual([...always, 'resourcebindings', 'clusterresourcebindings']);
    expect(watched({ policies: true })).toEqual([...always, 'rebalancepolicies', 'clusters']);
  });

  it('may watch bindings, and the policies that ask for it, where reductions are held', () => {
    expect(rulesGranted('bridge', { gracefulReduction: true }).flatMap(({ resources }) => resources)).toEqual([
      'workloadrebalancers',
      'resourcebindings',
      'clusterresourcebindings',
      'propagationpolicies',
      'clusterpropagationpolicies',
    ]);
  });

  it('may watch what elastic workloads are placed by and carried by, where there are some', () => {
    const rules = rulesGranted('bridge', { elasticWorkloads: true });
    expect(rules.flatMap(({ apiGroups, resources }) => `${resources.join()}.${apiGroups.join()}`)).toEqual([
      'workloadrebalancers.apps.karmada.io',
      'elasticworkloads.workload.open-cluster-management.io',
      'elasticworkloads.scheduling.open-cluster-management.io',
      'placementdecisions.cluster.open-cluster-management.io',
      'managedclusters.cluster.open-cluster-management.io',
      'addonplacementscores.cluster.open-cluster-management.io',
      'manifestworks.work.open-cluster-management.io',
    ]);
  });
});

describe('admission', () => {
  it('is the same rules in the policies as in the model, for the account that is named', () => {
    const ours = [rebalancerRules, waveRules('system:serviceaccount:tools:mover')];
    const policies = objects(['admission-policy'], { account: 'tools/mover' });
    const shown = policies.filter(({ kind }) => kind === 'ValidatingAdmissionPolicy');
    expect(shown.map(({ metadata, spec }) => [metadata.name, spec])).toMatchObject(
      ours.map(({ name, rules, variables, when }) => [
        `mover-${name}`,
        {
          failurePolicy: 'Ignore',
          matchConditions: [when],
          variables,
          validations: rules.map(({ expression, message }) => ({
            expression,
            messageExpression: message,
            reason: 'Invalid',
          })),
        },
      ]),
    );
    const bindings = policies.filter(({ kind }) => kind === 'ValidatingAdmissionPolicyBinding');
    expect(bindings.map(({ spec }) => spec)).toEqual(
      ours.map(({ name }) => ({ policyName: `mover-${name}`, validationActions: ['Deny'] })),
    );
  });

  it('by webhook calls the hook of the hub for three seconds, and goes on without an answer', () => {
    const { webhooks } = one('ValidatingWebhookConfiguration', ['admission-webhook'], { ca });
    expect(webhooks).toMatchObject([
      {
        failurePolicy: 'Ignore',
        timeoutSeconds: 3,
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
        matchConditions: [
          {
            expression: `(${rebalancerRules.when.expression}) || (${waveRules('any account').when.expression})`,
          },
        ],
        clientConfig: {
          url: 'https://hook.example/hubs/karmada/admission',
          caBundle: Buffer.from(ca).toString('base64'),
        },
      },
    ]);
  });

  it('by webhook holds a key of the hook token where there is one, never the token', () => {
    const hookToken = 'hook-token-of-karmada';
    const text = manifestsOf(parseTarget({ ...given, hookToken }), ['admission-webhook']);
    expect(text).toContain(`https://hook.example/hubs/karmada/admission/${reviewKeyOf('karmada', hookToken)} }`);
    expect(text).not.toContain(hookToken);
  });

  it('by webhook without a token states that the API server must present one', () => {
    expect(manifestsOf(parseTarget(given), ['admission-webhook'])).toMatch(/^# Without --hook-token-file /);
  });
});

describe('where reductions are held', () => {
  const account = { account: 'tools/mover' };
  const held = { ...account, gracefulReduction: true };
  const rules = holdRules('system:serviceaccount:tools:mover');

  it('the whole has the policy that holds them and those that reject invalid annotations, before the audit files', () => {
    const without = namesWith(account);
    expect(namesWith(held)).toEqual([
      ...without.slice(0, -1),
      'ValidatingAdmissionPolicy mover-reduction-strategies',
      'ValidatingAdmissionPolicyBinding mover-reduction-strategies',
      'ValidatingAdmissionPolicy mover-reduction-queues',
      'ValidatingAdmissionPolicyBinding mover-reduction-queues',
      'MutatingAdmissionPolicy mover-replica-reductions',
      'MutatingAdmissionPolicyBinding mover-replica-reductions',
      'Secret mover-audit',
    ]);
  });

  it('the policy is the rules of the model, for updates of bindings of both kinds', () => {
    expect(one('MutatingAdmissionPolicy', ['hold-policy'], held).spec).toMatchObject({
      failurePolicy: 'Ignore',
      reinvocationPolicy: 'IfNeeded',
      matchConditions: [rules.when],
      variables: rules.variables,
      matchConstraints: {
        resourceRules: [
          {
            apiGroups: ['work.karmada.io'],
            apiVersions: ['v1alpha2'],
            operations: ['UPDATE'],
            resources: ['resourcebindings', 'clusterresourcebindings'],
          },
        ],
      },
      mutations: [{ patchType: 'JSONPatch' }],
    });
    expect(one('MutatingAdmissionPolicyBinding', ['hold-policy'], held).spec).toEqual({
      policyName: 'mover-replica-reductions',
    });
  });

  it('the policy states what an API server needs to serve it, and the alternative', () => {
    const text = manifestsOf(parseTarget({ ...given, ...held }), ['hold-policy']);
    expect(text).toMatch(
      /^# Needs kube-apiserver 1\.34 or newer, started with --feature-gates=MutatingAdmissionPolicy=true/,
    );
    expect(text).toMatch(/^# --only hold-webhook instead/m);
  });

  it('the webhook is called for writes that shrink or are held and for words that change, and no other', () => {
    const { webhooks } = one('MutatingWebhookConfiguration', ['hold-webhook'], held);
    expect(webhooks).toMatchObject([
      {
        name: 'replica-reductions.evenkeel.internal',
        failurePolicy: 'Ignore',
        timeoutSeconds: 3,
        reinvocationPolicy: 'IfNeeded',
        rules: [{ operations: ['CREATE', 'UPDATE'], resources: ['resourcebindings', 'clusterresourcebindings'] }],
        matchConditions: [
          {
            expression: `oldObject == null ? ${bindingReductionRules.when.expression} : ((${rules.when.expression}) || ${bindingReductionRules.when.expression})`,
          },
        ],
        clientConfig: { url: 'https://hook.example/hubs/karmada/admission' },
      },
    ]);
  });

  it('the webhook for what is invalid is called for the policies that ask for it, and there alone', () => {
    const resources = (over: Partial<TargetInput>) =>
      objects(['admission-webhook'], over).map(({ webhooks }) =>
        webhooks.flatMap(({ rules: asked }) => asked.flatMap((rule) => rule.resources)),
      );
    expect(resources(held)).toEqual([['workloadrebalancers'], policyReductionRules.resources]);
    expect(resources(account)).toEqual([['workloadrebalancers']]);
  });
});

describe('the kind RebalancePolicy', () => {
  it('is printed alone with --only, and not for a hub without policies', () => {
    expect(named(['crd'])).toEqual(['CustomResourceDefinition rebalancepolicies.evenkeel.dev']);
    expect(named([])).not.toContain('CustomResourceDefinition rebalancepolicies.evenkeel.dev');
  });

  it('is cluster-scoped, with a status of its own and a short name', () => {
    expect(one('CustomResourceDefinition', ['crd']).spec).toMatchObject({
      group: 'evenkeel.dev',
      scope: 'Cluster',
      names: { kind: 'RebalancePolicy', plural: 'rebalancepolicies', shortNames: ['rebp'], categories: ['evenkeel'] },
      versions: [{ name: 'v1alpha1', served: true, storage: true, subresources: { status: {} } }],
    });
  });

  it('has the bounds of a policy and none of JavaScript', () => {
    const text = manifestsOf(parseTarget(given), ['crd']);
    expect(text).toContain('maximum: 604800');
    expect(text).not.toMatch(/900719925474099|properties: \{ *\}/);
  });
});

describe('the kind ElasticWorkload', () => {
  it('is printed alone where it is asked for, namespaced, scaled by its total, and each group with a short name of its own', () => {
    const kinds = objects(['elastic-crds']).map(({ spec }) => spec as { names: object; versions: readonly object[] });
    expect(kinds).toMatchObject(
      [
        ['workload.open-cluster-management.io', 'ew'],
        ['scheduling.open-cluster-management.io', 'ews'],
      ].map(([group, shortName]) => ({
        group,
        scope: 'Namespaced',
        names: { kind: 'ElasticWorkload', shortNames: [shortName], categories: ['evenkeel'] },
        versions: [
          {
            name: 'v1',
            subresources: { scale: { specReplicasPath: '.spec.distributionStrategy.totalReplicas' }, status: {} },
          },
        ],
      })),
    );
    expect(kinds[0]?.versions).toEqual(kinds[1]?.versions);
  });

  it('has no bounds of JavaScript', () => {
    const text = manifestsOf(parseTarget(given), ['elastic-crds']);
    expect(text).toContain('maximum: 1000000');
    expect(text).not.toMatch(/900719925474099|properties: \{ *\}|additionalProperties: \{ *\}/);
  });
});

describe('audit', () => {
  it('policy is the one of the examples', () => {
    const shipped: unknown = parse(readFileSync('examples/audit-policy.yaml', 'utf8'));
    expect(parse(manifestsOf(parseTarget(given), ['audit-policy']))).toEqual(shipped);
  });

  it.each([
    [{ scheduler: true }, '[ resourcebindings, clusterresourcebindings ]'],
    [{ policies: true }, '[ rebalancepolicies ]'],
    [{ policies: true }, '[ clusters ]'],
    [
      { gracefulReduction: true },
      '[ resourcebindings, resourcebindings/status, clusterresourcebindings, clusterresourcebindings/status ]',
    ],
    [{ gracefulReduction: true }, '[ propagationpolicies, clusterpropagationpolicies ]'],
    [{ elasticWorkloads: true }, '[ elasticworkloads, elasticworkloads/scale ]'],
    [
      { elasticWorkloads: true },
      [
        '- placementdecisions',
        '- placementdecisions/status',
        '- managedclusters',
        '- addonplacementscores',
        '- addonplacementscores/status',
      ].join(`\n${' '.repeat(10)}`),
    ],
    [{ elasticWorkloads: true }, '[ manifestworks, manifestworks/status ]'],
  ] as const)('policy has reported what is used there, and there alone: %j, %s', (over, kinds) => {
    const reported = (used: Partial<TargetInput>) => manifestsOf(parseTarget({ ...given, ...used }), ['audit-policy']);
    expect(reported(over)).toContain(kinds);
    expect(reported({})).not.toContain(kinds);
    const files = one('Secret', [], over).data;
    expect(Buffer.from(files['audit-policy.yaml'] ?? '', 'base64').toString('utf8')).toBe(reported(over));
  });

  it('webhook calls the path of the hub with a token from a file beside it', () => {
    expect(parse(manifestsOf(parseTarget({ ...given, ca }), ['audit-webhook']))).toMatchObject({
      clusters: [
        {
          cluster: {
            server: 'https://hook.example/hubs/karmada/audit',
            'certificate-authority-data': Buffer.from(ca).toString('base64'),
          },
        },
      ],
      users: [{ user: { tokenFile: 'hook-token' } }],
    });
  });

  it('files lie in a Secret, with the token where it is given', () => {
    const file = (only: string) => manifestsOf(parseTarget(given), [only]);
    const files = { 'audit-policy.yaml': file('audit-policy'), 'audit-webhook.yaml': file('audit-webhook') };
    const filesIn = ({ data }: KubernetesObject) =>
      Object.fromEntries(
        Object.entries(data).map(([name, text]) => [name, Buffer.from(text, 'base64').toString('utf8')]),
      );
    expect(filesIn(one('Secret', []))).toEqual(files);
    const hookToken = 'hook-token-of-karmada';
    expect(filesIn(one('Secret', [], { hookToken }))).toEqual({ ...files, 'hook-token': hookToken });
  });
});

describe("the hook's URL", () => {
  it.each([['https://hook.example'], ['https://hook.example/'], ['https://hook.example/hubs/karmada/audit']])(
    '%s is the hook of every path',
    (url) => {
      expect(parseTarget({ ...given, url }).url).toBe('https://hook.example');
    },
  );

  it('keeps a port and a path before that of the hub', () => {
    const url = 'https://hook.example:8443/stage/hubs/karmada/audit';
    expect(parseTarget({ ...given, url }).url).toBe('https://hook.example:8443/stage');
  });
});

it('an account is accepted with names of one letter', () => {
  expect(parseTarget({ ...given, account: 'a/b' }).account).toEqual({ namespace: 'a', name: 'b' });
});

describe('what cannot be is named with its value and the way out', () => {
  it.each<[Partial<TargetInput>, string]>([
    [{ hub: 'Karmada' }, '--hub "Karmada" is not a hub name; use a DNS label of at most 40 (a-z, 0-9 and - inside)'],
    [{ hub: '' }, '--hub "" is not a hub name'],
    [{ account: 'evenkeel' }, '--account "evenkeel" is not NAMESPACE/NAME of a ServiceAccount'],
    [{ account: 'a/b/c' }, '--account "a/b/c" is not NAMESPACE/NAME'],
    [{ url: 'http://hook.example' }, '--url "http://hook.example" is not an https URL'],
    [{ url: 'hook.example' }, '--url "hook.example" is not an https URL'],
    [{ url: 'https://hook.example?a=b' }, '--url must have no user, ? or #'],
    [{ url: 'https://me:secret@hook.example' }, '--url must have no user, ? or #'],
    [{ url: 'https://hook.example/hubs/edge/audit' }, '--url is the one of hub "edge", and --hub is "karmada"'],
    [{ ca: 'MIIB' }, '--ca-file holds no certificate'],
    [{ hookToken: 'short' }, '--hook-token-file holds no token'],
  ])('%j', (over, message) => {
    expect(() => parseTarget({ ...given, ...over })).toThrow(message);
  });

  it('and no secret is in it', () => {
    const rejected = (over: object) => () => parseTarget({ ...given, ...over });
    expect(rejected({ url: 'https://me:secret@hook.example' })).toThrow(/^(?!.*secret@).*--url/s);
    expect(rejected({ url: 'http://me:secret@hook.example' })).toThrow(
      /^(?!.*secret).*--url "http:\/\/…@hook\.example"/s,
    );
    expect(rejected({ url: 'me:secret@hook.example?token=secret' })).toThrow(/^(?!.*secret).*--url "…@hook\.example"/s);
    expect(rejected({ hookToken: 'tiny' })).toThrow(/^(?!.*tiny).*--hook-token-file/s);
  });

  it.each([
    [['crds'], '--only crds: Unsupported value; supported values: crd, elastic-crds, rbac, flow-schema,'],
    [['toString'], '--only toString: Unsupported value'],
    [['rbac', 'audit-policy'], '--only rbac audit-policy: audit-policy is a file, no object; ask for it alone'],
  ])('%j', (only, message) => {
    expect(() => manifestsOf(parseTarget(given), only)).toThrow(message);
  });
});
