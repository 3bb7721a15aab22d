/** Reviews of authentication and authorization: `kubectl auth whoami` and `auth can-i`. All users have all permissions. For the API server. */
import { StatusError } from '../store/status-error.ts';
import { isFields } from '../store/structural-schema.ts';

type ReviewSpec = Readonly<Record<string, unknown>>;
type ReviewHandler = (spec: ReviewSpec, username: string) => object;

const AUTHORIZATION = '/apis/authorization.k8s.io/v1';
const allowed = { allowed: true, reason: 'the practice hub allows all requests' };

const reviews: Readonly<Record<string, { readonly kind: string; readonly answer: ReviewHandler }>> = {
  '/apis/authentication.k8s.io/v1/selfsubjectreviews': {
    kind: 'SelfSubjectReview',
    answer: (_, username) => ({ userInfo: { username, groups: ['system:authenticated'] } }),
  },
  [`${AUTHORIZATION}/selfsubjectaccessreviews`]: {
    kind: 'SelfSubjectAccessReview',
    answer: (spec) => {
      checkAttributes('SelfSubjectAccessReview', spec);
      return allowed;
    },
  },
  [`${AUTHORIZATION}/selfsubjectrulesreviews`]: {
    kind: 'SelfSubjectRulesReview',
    answer: ({ namespace }) => {
      if (!namespace) throw new StatusError(400, 'BadRequest', 'no namespace on request');
      return {
        resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }],
        nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
        incomplete: false,
      };
    },
  },
  [`${AUTHORIZATION}/subjectaccessreviews`]: {
    kind: 'SubjectAccessReview',
    answer: (spec) => {
      const { user, groups } = spec;
      checkAttributes('SubjectAccessReview', spec);
      if (!user && !(Array.isArray(groups) && groups.length > 0))
        throw rejected('SubjectAccessReview', 'spec.user', '"": at least one of user or group must be specified');
      return allowed;
    },
  },
};

export function isReview(method: string | undefined, path: string): boolean {
  return method === 'POST' && Object.hasOwn(reviews, path);
}

/** The review with its result in the status. */
export function answerReview(path: string, body: unknown, username: string): object {
  const review = reviews[path];
  if (review === undefined || !isFields(body)) throw new StatusError(400, 'BadRequest', 'the review is no object');
  const spec = isFields(body.spec) ? body.spec : {};
  const apiVersion = path.split('/').slice(2, 4).join('/');
  const asked = review.kind === 'SelfSubjectReview' ? {} : { spec };
  return {
    kind: review.kind,
    apiVersion,
    metadata: { creationTimestamp: null },
    ...asked,
    status: review.answer(spec, username),
  };
}

function checkAttributes(kind: string, { resourceAttributes, nonResourceAttributes }: ReviewSpec): void {
  if ((resourceAttributes == null) !== (nonResourceAttributes == null)) return;
  const message = 'null: exactly one of nonResourceAttributes or resourceAttributes must be specified';
  throw rejected(kind, 'spec.resourceAttributes', message);
}

function rejected(kind: string, field: string, why: string): StatusError {
  const message = `Invalid value: ${why}`;
  return new StatusError(422, 'Invalid', `${kind}.authorization.k8s.io "" is invalid: ${field}: ${message}`, {
    group: 'authorization.k8s.io',
    kind,
    causes: [{ reason: 'FieldValueInvalid', message, field }],
  });
}
