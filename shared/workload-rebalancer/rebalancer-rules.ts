/**
 * Rejects invalid WorkloadRebalancers on a hub, for every user. Single source of the policy and of the webhook.
 *
 * An update is checked only for the fields that it changes, so that an object from before these rules can be edited,
 * finish and be deleted. Duplicate workloads are allowed and triggered once.
 */
import type { AdmissionRule, AdmissionRules } from '../admission/admission-rules.ts';

/** etcd rejects a larger request. */
const OBJECT_BYTES = 1536 * 1024;

/** For name, labels, managedFields and etcd overhead. Annotations are counted separately. */
const METADATA_BYTES = 32 * 1024;

export const SPEC_BYTES = OBJECT_BYTES - METADATA_BYTES;

/**
 * Bytes per workload besides its four strings, which appear in spec and in status. The worst case is a workload that is not found:
 * `{"apiVersion":"","kind":"","name":"","namespace":""},` and
 * `{"reason":"ReferencedBindingNotFound","result":"Failed","workload":{"apiVersion":"","kind":"","name":"","namespace":""}},`
 */
export const ENTRY_BYTES = 174;

/** apiVersion, kind and name have at least one character each and appear twice. */
const LEAST_BYTES = ENTRY_BYTES + 2 * 3;

/** More workloads never fit, with any names. Visiting them would exceed the cost limit of a policy. */
const MOST_WORKLOADS = Math.floor(SPEC_BYTES / LEAST_BYTES);

/** Estimated bytes per workload above that limit: 63 characters of strings in total. */
const USUAL_BYTES = 300;

const workloads = 'object.spec.workloads';
const ttl = 'object.spec.ttlSecondsAfterFinished';
const annotations = 'object.metadata.annotations';

const textBytes = ['apiVersion', 'kind', 'name'].map((field) => `size(bytes(w.${field}))`).join(' + ');
const namespaceBytes = '(has(w.namespace) ? size(bytes(w.namespace)) : 0)';

/** `kubectl apply` keeps the whole spec in an annotation, where each quote takes two bytes: 67 for 51. */
const annotationBytes = `(has(${annotations}) ? ${annotations}.map(k, size(bytes(${annotations}[k]))).sum() * 4 / 3 : 0)`;

const variables = [
  { name: 'sameWorkloads', expression: `oldObject != null && ${workloads} == oldObject.spec.workloads` },
  {
    name: 'sameTtl',
    expression: `oldObject != null && has(${ttl}) && has(oldObject.spec.ttlSecondsAfterFinished) && ${ttl} == oldObject.spec.ttlSecondsAfterFinished`,
  },
  { name: 'countable', expression: `size(${workloads}) <= ${MOST_WORKLOADS}` },
  {
    name: 'weight',
    expression:
      `(variables.countable ? ${workloads}.map(w, ${textBytes} + ${namespaceBytes}).sum() * 2 + size(${workloads}) * ${ENTRY_BYTES}` +
      ` : size(${workloads}) * ${USUAL_BYTES}) + ${annotationBytes}`,
  },
];

/** Nine tenths of the average, because the workloads of a part may be larger than the average. */
const perPart = `size(${workloads}) * ${SPEC_BYTES} / variables.weight * 9 / 10`;

const remedy = {
  name: 'name the object that is to be rescheduled, or take the entry out',
  apiVersion: 'write the one of the object, for example apps/v1',
  kind: 'write the one of the object, for example Deployment',
};

function neverEmpty(field: keyof typeof remedy): AdmissionRule {
  return {
    field: `spec.workloads[].${field}`,
    expression: `variables.sameWorkloads || !variables.countable || ${workloads}.all(w, w.${field} != '')`,
    message:
      `'spec.workloads: ' + string(size(${workloads}.filter(w, w.${field} == ''))) + ' of ' + string(size(${workloads})) + ` +
      `' have an empty ${field}; ${remedy[field]}'`,
  };
}

export const rebalancerRules: AdmissionRules = {
  name: 'workloadrebalancers',
  group: 'apps.karmada.io',
  version: 'v1alpha1',
  resources: ['workloadrebalancers'],
  operations: ['CREATE', 'UPDATE'],
  when: { name: 'spec-changes', expression: 'oldObject == null || object.spec != oldObject.spec' },
  variables,
  rules: [
    {
      field: 'spec.workloads',
      expression: `variables.sameWorkloads || size(${workloads}) > 0`,
      message: `'spec.workloads is empty; name at least one workload by apiVersion, kind, namespace and name'`,
    },
    {
      field: 'spec.workloads',
      expression: `variables.sameWorkloads || variables.weight <= ${SPEC_BYTES}`,
      message:
        `'spec.workloads: ' + string(size(${workloads})) + ' workloads take about ' + string(variables.weight) + ` +
        `' bytes in spec and status, and an object holds at most ${SPEC_BYTES}; split it into rebalancers of at most ' + string(${perPart}) + ' workloads'`,
    },
    neverEmpty('name'),
    neverEmpty('apiVersion'),
    neverEmpty('kind'),
    {
      field: 'spec.ttlSecondsAfterFinished',
      expression: `variables.sameTtl || !has(${ttl}) || ${ttl} >= 0`,
      message:
        `'spec.ttlSecondsAfterFinished is ' + string(${ttl}) + '; write the seconds to keep a finished rebalancer for, ` +
        `0 to delete it at once, or leave it out to keep it'`,
    },
  ],
};
