import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { SubjectAccessReviewStatus } from '@tributary/api/authorization-v1';
import { badRequest, type ObjectMeta, type Status } from '@tributary/apimachinery';
import type { AccessRequest, Authorizer, Decision } from '@tributary/server';
import { defineApi } from '@tributary/server/definition';
import { startTestServer, type TestServer } from '@tributary/server/testing';
import { selfSubjectReviewKind } from '../../authentication/self-subject-review/kind.ts';
import {
  type TokenReviewDependencies,
  tokenReviewKind,
} from '../../authentication/token-review/kind.ts';
import { localSubjectAccessReviewKind } from '../local-subject-access-review/kind.ts';
import { selfSubjectAccessReviewKind } from '../self-subject-access-review/kind.ts';
import {
  type RulesReviewDependencies,
  selfSubjectRulesReviewKind,
} from '../self-subject-rules-review/kind.ts';
import { subjectAccessReviewKind } from '../subject-access-review/kind.ts';

const accessRequests: AccessRequest[] = [];
let decide: (request: AccessRequest) => Decision;

const dependencies: TokenReviewDependencies &
  RulesReviewDependencies & { readonly authorize: Authorizer } = {
  authorize: (request) => {
    accessRequests.push(request);
    return decide(request);
  },
  rulesFor: ({ name }, namespace) => ({
    resourceRules: [{ verbs: ['get'], resources: [`${name} in ${namespace}`] }],
    nonResourceRules: [],
    incomplete: true,
    errors: ['one', 'two'],
  }),
  reviewToken: async (review) => {
    if (!review.spec.token) throw badRequest('token is required for TokenReview in authentication');
    return { ...review, status: { authenticated: true, user: { username: review.spec.token } } };
  },
};
const authorization = defineApi({
  group: 'authorization.k8s.io',
  builtIn: true,
  resources: [
    subjectAccessReviewKind(dependencies),
    localSubjectAccessReviewKind(dependencies),
    selfSubjectAccessReviewKind(dependencies),
    selfSubjectRulesReviewKind(dependencies),
  ],
});
const authentication = defineApi({
  group: 'authentication.k8s.io',
  builtIn: true,
  resources: [tokenReviewKind(dependencies), selfSubjectReviewKind({ nowMs: () => 0 })],
});

let server: TestServer;
before(async () => {
  server = await startTestServer([authorization, authentication]);
});
after(() => server.close());
beforeEach(() => {
  accessRequests.length = 0;
  decide = () => ({ allowed: true });
});

const ask = <Body>(resource: string, body: object, user: object | string = 'mary') =>
  server.request<Body>('POST', `/apis/${resource}`, {
    body,
    user: user as string,
  });
const SUBJECT = 'authorization.k8s.io/v1/subjectaccessreviews';
const LOCAL = 'authorization.k8s.io/v1/namespaces/eu/localsubjectaccessreviews';
const SELF = 'authorization.k8s.io/v1/selfsubjectaccessreviews';
const RULES = 'authorization.k8s.io/v1/selfsubjectrulesreviews';

describe('the status of a SubjectAccessReview', () => {
  const cases: readonly {
    name: string;
    decision: Decision | Error;
    status: SubjectAccessReviewStatus;
  }[] = [
    {
      name: 'allowed, and why',
      decision: { allowed: true, reason: 'a role' },
      status: { allowed: true, reason: 'a role' },
    },
    { name: 'not allowed', decision: { allowed: false }, status: { allowed: false } },
    {
      name: 'refused',
      decision: { allowed: false, denied: true, reason: 'no' },
      status: { allowed: false, denied: true, reason: 'no' },
    },
    {
      name: 'nothing, because nobody can say',
      decision: new Error('no response'),
      status: { allowed: false, evaluationError: 'no response' },
    },
  ];
  for (const { name, decision, status } of cases) {
    test(name, async () => {
      decide = () => {
        if (decision instanceof Error) throw decision;
        return decision;
      };
      const spec = { user: 'u', resourceAttributes: { verb: 'get', resource: 'pods' } };
      const response = await ask<{ spec: object; status: object }>(SUBJECT, { spec });
      assert.equal(response.status, 201);
      assert.deepEqual(response.object.status, status);
      assert.deepEqual(response.object.spec, {
        resourceAttributes: { verb: 'get', resource: 'pods' },
        user: 'u',
      });
    });
  }
});

describe('the request to the authorizer', () => {
  const nothing = { fieldSelector: '', labelSelector: '', path: '' };
  const info = (more: Partial<AccessRequest['info']>) => ({
    ...nothing,
    isResourceRequest: true,
    verb: 'list',
    group: '',
    version: '*',
    namespace: '',
    resource: 'pods',
    subresource: '',
    name: '',
    ...more,
  });
  const selectors = 'spec.resourceAttributes.';
  const cases: readonly {
    name: string;
    attributes: object;
    info: object;
    evaluationError?: string;
  }[] = [
    {
      name: 'in every detail',
      attributes: {
        namespace: 'eu',
        group: 'g',
        version: 'v1',
        subresource: 's',
        name: 'n',
      },
      info: info({ namespace: 'eu', group: 'g', version: 'v1', subresource: 's', name: 'n' }),
    },
    {
      name: 'with selectors as text',
      attributes: {
        fieldSelector: { rawSelector: 'a=b' },
        labelSelector: { rawSelector: 'c in (d)' },
      },
      info: info({ fieldSelector: 'a=b', labelSelector: 'c in (d)' }),
    },
    {
      name: 'with selectors as requirements',
      attributes: {
        fieldSelector: {
          requirements: [
            { key: 'a', operator: 'In', values: ['b,c'] },
            { key: 'd', operator: 'NotIn', values: ['e'] },
          ],
        },
        labelSelector: {
          requirements: [
            { key: 'a', operator: 'In', values: ['b', 'c'] },
            { key: 'd', operator: 'NotIn', values: ['e'] },
            { key: 'f', operator: 'Exists' },
            { key: 'g', operator: 'DoesNotExist' },
          ],
        },
      },
      info: info({
        fieldSelector: 'a=b\\,c,d!=e',
        labelSelector: 'a in (b,c),d notin (e),f,!g',
      }),
    },
    {
      name: 'but for what nobody understands',
      attributes: {
        fieldSelector: {
          requirements: [
            { key: 'a', operator: 'In', values: ['b', 'c'] },
            { key: 'a', operator: 'Exists' },
          ],
        },
        labelSelector: {
          requirements: [
            { key: 'a', operator: 'Odd' },
            { key: 'b', operator: 'Exists' },
          ],
        },
      },
      info: info({ labelSelector: 'b' }),
      evaluationError: `${selectors}fieldSelector ignored due to parse error; ${selectors}labelSelector partially ignored due to parse error`,
    },
    {
      name: 'but for text that is no selector',
      attributes: { fieldSelector: { rawSelector: 'a b' }, labelSelector: { rawSelector: 'a b' } },
      info: info({}),
      evaluationError: `${selectors}fieldSelector ignored due to parse error; ${selectors}labelSelector ignored due to parse error`,
    },
  ];
  for (const { name, attributes, info: wanted, evaluationError } of cases) {
    test(name, async () => {
      const resourceAttributes = { verb: 'list', resource: 'pods', ...attributes };
      const spec = { user: 'u', uid: 'i', groups: ['g'], extra: { k: ['v'] }, resourceAttributes };
      const response = await ask<{ status: SubjectAccessReviewStatus }>(SUBJECT, { spec });
      assert.equal(response.status, 201, response.text);
      assert.equal(response.object.status.evaluationError, evaluationError);
      assert.deepEqual(accessRequests[0]?.user, {
        name: 'u',
        uid: 'i',
        groups: ['g'],
        extra: { k: ['v'] },
      });
      assert.deepEqual(accessRequests[0]?.info, wanted);
    });
  }

  test('a SelfSubjectAccessReview of a path authorizes the requesting user', async () => {
    const user = { name: 'mary', uid: 'u', groups: ['dev'], extra: { k: ['v'] } };
    const spec = { nonResourceAttributes: { path: '/x', verb: 'get' } };
    assert.equal((await ask(SELF, { spec }, user)).status, 201);
    assert.deepEqual(accessRequests[0]?.user, user);
    assert.deepEqual(accessRequests[0]?.info, {
      ...info({}),
      isResourceRequest: false,
      resource: '',
      version: '',
      verb: 'get',
      path: '/x',
    });
  });
});

describe('invalid access reviews', () => {
  const spec = { user: 'u', resourceAttributes: { verb: 'get', resource: 'pods' } };
  const cases: readonly {
    name: string;
    resource: string;
    body: object;
    status: number;
    message: string | RegExp;
  }[] = [
    {
      name: 'a question with a name',
      resource: SUBJECT,
      body: { metadata: { name: 'x', uid: 'u', creationTimestamp: '2001-01-01T00:00:00Z' }, spec },
      status: 422,
      // The message may show managedFields.
      message:
        /^\.authorization\.k8s\.io "" is invalid: metadata: Invalid value: \{"name":"x"(,"managedFields":.*)?\}: must be empty$/,
    },
    {
      name: 'a question in a namespace about another',
      resource: LOCAL,
      body: { spec },
      status: 422,
      message:
        '.authorization.k8s.io "" is invalid: spec.resourceAttributes.namespace: Invalid value: "": must match metadata.namespace',
    },
    {
      name: 'rules of no namespace',
      resource: RULES,
      body: { spec: {} },
      status: 400,
      message: 'no namespace on request',
    },
    {
      name: 'a review of no token',
      resource: 'authentication.k8s.io/v1/tokenreviews',
      body: { spec: {} },
      status: 400,
      message: 'token is required for TokenReview in authentication',
    },
  ];
  for (const { name, resource, body, status, message } of cases) {
    test(name, async () => {
      const response = await ask<Status>(resource, body);
      assert.equal(response.status, status);
      if (typeof message === 'string') assert.equal(response.object.message, message);
      else assert.match(response.object.message ?? '', message);
      assert.deepEqual(accessRequests, []);
    });
  }
});

test('a SelfSubjectRulesReview has rules and an empty spec', async () => {
  const body = { metadata: { name: 'x' }, spec: { namespace: 'eu' } };
  const { status, object } = await ask(RULES, body);
  assert.equal(status, 201);
  assert.deepEqual(object, {
    kind: 'SelfSubjectRulesReview',
    apiVersion: 'authorization.k8s.io/v1',
    metadata: {},
    spec: {},
    status: {
      resourceRules: [{ verbs: ['get'], resources: ['mary in eu'] }],
      nonResourceRules: [],
      incomplete: true,
      evaluationError: '[one, two]',
    },
  });
});

test('a TokenReview keeps its metadata except system fields', async () => {
  const metadata = { name: 'x', uid: 'u' };
  const { status, object } = await ask<{ metadata: ObjectMeta; status: object }>(
    'authentication.k8s.io/v1/tokenreviews',
    { metadata, spec: { token: 't' } },
  );
  assert.equal(status, 201);
  assert.equal(object.metadata.name, 'x');
  assert.equal(object.metadata.uid, undefined);
  assert.deepEqual(object.status, { authenticated: true, user: { username: 't' } });
});

test('a SelfSubjectReview has the user of the request', async () => {
  const user = { name: 'mary', uid: 'u', groups: ['dev'], extra: { k: ['v'] } };
  const { object } = await ask('authentication.k8s.io/v1/selfsubjectreviews', {}, user);
  assert.deepEqual(object, {
    kind: 'SelfSubjectReview',
    apiVersion: 'authentication.k8s.io/v1',
    metadata: { creationTimestamp: '1970-01-01T00:00:00Z' },
    status: { userInfo: { username: 'mary', uid: 'u', groups: ['dev'], extra: { k: ['v'] } } },
  });
});
