/** Permissions of roles and bindings, and the messages of refusals. */
import type { JsonObject } from '../../differential/json.ts';
import type { RequestStep, RowGroup } from '../../differential/row.ts';
import {
  ClusterRole,
  ConfigMap,
  Lease,
  Namespace,
  Secret,
  SelfSubjectAccessReview,
  SelfSubjectRulesReview,
  ServiceAccount,
} from '../kinds.ts';
import { ALICE, asEve, bound, DEV, granted, grantedEve, RBAC, review, rule } from './policy.ts';
import { collection, feature, given, type More, object, pathOf, post } from './words.ts';

const row = feature('authorization');
const alice: More = { as: 'alice' };
const read = (name: string, path: string, more: More = alice): RequestStep => ({
  name,
  path,
  ...more,
});
const list = (name: string, kind = ConfigMap, more: More = alice): RequestStep =>
  read(name, collection(kind), more);
const create = (name: string, more: More = alice): RequestStep =>
  post(ConfigMap, object(ConfigMap), { name, ...more });
const attributes = (verb: string, more: JsonObject = {}): JsonObject => ({
  resourceAttributes: { namespace: '{ns}', verb, resource: 'configmaps', ...more },
});
const GET = ['get'];

export const authorization: RowGroup = {
  name: 'authorization',
  rows: [
    row(
      'every verb refused',
      read('get', pathOf(ConfigMap)),
      list('list'),
      read('watch', collection(ConfigMap), { ...alice, query: { watch: '1' } }),
      create('create'),
      read('update', pathOf(ConfigMap), { ...alice, method: 'PUT', body: object(ConfigMap) }),
      read('patch', pathOf(ConfigMap), {
        ...alice,
        method: 'PATCH',
        body: '{}',
        headers: { 'content-type': 'application/merge-patch+json' },
      }),
      read('delete', pathOf(ConfigMap), { ...alice, method: 'DELETE' }),
      read('deletecollection', collection(ConfigMap), { ...alice, method: 'DELETE' }),
    ),
    row('refused in a group', list('list', Lease), read('get', pathOf(Lease))),
    row('refused in all namespaces', read('list', '/api/v1/configmaps')),
    row(
      'refused without a namespace',
      read('list', '/api/v1/namespaces'),
      read('get', '/api/v1/namespaces/{ns}'),
      read('create', '/api/v1/namespaces', { ...alice, method: 'POST', body: {} }),
    ),
    row(
      'refused a subresource',
      read('status', `${pathOf(Namespace)}/status`),
      read('token', `${pathOf(ServiceAccount)}/token`, { ...alice, method: 'POST', body: {} }),
    ),
    row(
      'refused what does not exist',
      read('list', '/apis/example.com/v1/things'),
      read('get', '/apis/example.com/v1/namespaces/{ns}/things/a'),
    ),
    row(
      'refused a path',
      read('logs', '/logs'),
      read('post', '/healthz', { ...alice, method: 'POST', body: {} }),
    ),
    row(
      'refused a user with odd signs',
      read('list', collection(ConfigMap), { headers: { 'impersonate-user': 'a<b>&"c' } }),
    ),
    row(
      'a role by name of user',
      given(ConfigMap),
      ...granted(ALICE, [rule(['configmaps'], GET)]),
      read('get', pathOf(ConfigMap)),
      list('list'),
    ),
    row(
      'a role by group',
      given(ConfigMap),
      ...granted(DEV, [rule(['configmaps'], GET)]),
      read('get', pathOf(ConfigMap)),
      read('bob', pathOf(ConfigMap), { as: 'bob' }),
    ),
    row(
      'only in its namespace',
      ...granted(ALICE, [rule(['configmaps'], ['list'])]),
      list('list', ConfigMap, { ...alice, query: { labelSelector: 'row={ns}' } }),
      read('elsewhere', '/api/v1/namespaces/default/configmaps'),
    ),
    row(
      'by resource name',
      given(ConfigMap),
      ...granted(ALICE, [rule(['configmaps'], ['*'], { resourceNames: ['a'] })]),
      read('get', pathOf(ConfigMap)),
      read('other', pathOf(ConfigMap, 'b')),
      list('list'),
      list('list-one', ConfigMap, { ...alice, query: { fieldSelector: 'metadata.name=a' } }),
      list('list-other', ConfigMap, { ...alice, query: { fieldSelector: 'metadata.name=b' } }),
      create('create'),
      read('clear', collection(ConfigMap), { ...alice, method: 'DELETE' }),
    ),
    row(
      'any verb',
      ...granted(ALICE, [rule(['configmaps'], ['*'])]),
      create('create'),
      read('secret', collection(Secret)),
    ),
    row(
      'any resource',
      ...granted(ALICE, [rule(['*'], GET)]),
      read('secret', pathOf(Secret)),
      read('lease', pathOf(Lease)),
    ),
    row(
      'any group',
      ...granted(ALICE, [rule(['leases'], GET, { apiGroups: ['*'] })]),
      read('lease', pathOf(Lease)),
    ),
    row(
      'a resource is not its subresource',
      given(ServiceAccount),
      ...granted(ALICE, [rule(['serviceaccounts'], ['*'])]),
      read('token', `${pathOf(ServiceAccount)}/token`, { ...alice, method: 'POST', body: {} }),
    ),
    row(
      'a subresource is not its resource',
      given(ServiceAccount),
      ...granted(ALICE, [rule(['serviceaccounts/token'], ['create'])]),
      read('token', `${pathOf(ServiceAccount)}/token`, {
        ...alice,
        method: 'POST',
        body: {},
        setup: true,
      }),
      read('get', pathOf(ServiceAccount)),
    ),
    row(
      'a subresource of any resource',
      given(ServiceAccount),
      ...granted(ALICE, [rule(['*/token'], ['create'])]),
      read('token', `${pathOf(ServiceAccount)}/token`, {
        ...alice,
        method: 'POST',
        body: {},
        setup: true,
      }),
    ),
    row(
      'the namespace itself',
      ...granted(ALICE, [rule(['namespaces'], GET)]),
      read('get', '/api/v1/namespaces/{ns}', { ...alice, setup: true }),
      read('list', '/api/v1/namespaces'),
    ),
    row(
      'a cluster role in one namespace',
      {
        ...post(
          ClusterRole,
          object(ClusterRole, { rules: [rule(['configmaps'], GET)] }, 'granted'),
        ),
        name: 'given-role',
        setup: true,
      },
      bound(ALICE, { kind: 'ClusterRole', name: '{ns}-granted' }),
      read('get', pathOf(ConfigMap), { ...alice, until: 404 }),
      read('elsewhere', '/api/v1/namespaces/default/configmaps/a'),
      review({ user: 'alice', ...attributes('get') }),
    ),
    row(
      'a role that does not exist',
      ...granted(DEV, []),
      {
        ...bound(ALICE, { kind: 'Role', name: 'none' }),
        name: 'given-other',
        path: `/apis/${RBAC}/v1/namespaces/{ns}/rolebindings`,
        body: {
          metadata: { name: 'other' },
          roleRef: { apiGroup: RBAC, kind: 'Role', name: 'none' },
          subjects: [ALICE],
        },
      },
      read('until-known', pathOf(ConfigMap, 'probe'), { ...alice, until: 404 }),
      list('list'),
      review({ user: 'alice', ...attributes('list') }),
    ),
    row(
      'in all namespaces',
      ...grantedEve([rule(['configmaps'], ['list'])]),
      read('all', '/api/v1/configmaps', { ...asEve, query: { labelSelector: 'row={ns}' } }),
      read('one', '/api/v1/namespaces/default/configmaps', {
        ...asEve,
        query: { labelSelector: 'row={ns}' },
      }),
      read('secrets', '/api/v1/secrets', asEve),
    ),
    row(
      'a path',
      ...grantedEve([{ nonResourceURLs: ['/metrics/slis', '/logs/*'], verbs: ['get'] }]),
      read('other', '/metrics', asEve),
      read('post', '/metrics/slis', { ...asEve, method: 'POST', body: {} }),
      review({ user: '{ns}-eve', nonResourceAttributes: { path: '/logs/a/b', verb: 'get' } }),
      {
        ...review({ user: '{ns}-eve', nonResourceAttributes: { path: '/logs', verb: 'get' } }),
        name: 'above',
      },
      {
        ...review({
          user: '{ns}-eve',
          nonResourceAttributes: { path: '/metrics/slis', verb: 'get' },
        }),
        name: 'exact',
      },
    ),
    row(
      'everything by stars',
      ...grantedEve([
        { apiGroups: ['*'], resources: ['*'], verbs: ['*'] },
        { nonResourceURLs: ['*'], verbs: ['*'] },
      ]),
      review({
        user: '{ns}-eve',
        resourceAttributes: { verb: 'burn', group: 'example.com', resource: 'things' },
      }),
      {
        ...review({ user: '{ns}-eve', nonResourceAttributes: { path: '/any', verb: 'put' } }),
        name: 'path',
      },
    ),
    row(
      'a review of a user’s role',
      ...granted(ALICE, [rule(['configmaps'], ['list'])]),
      review({ user: 'alice', ...attributes('list') }),
      { ...review({ user: 'alice', ...attributes('watch') }), name: 'denied' },
    ),
    row(
      'a review of a group’s role',
      ...granted(DEV, [rule(['configmaps'], ['list'])]),
      review({ user: 'x', groups: ['dev'], ...attributes('list') }),
      { ...review({ user: 'x', groups: ['ops'], ...attributes('list') }), name: 'denied' },
    ),
    row(
      'a review of all namespaces',
      ...granted(ALICE, [rule(['configmaps'], ['list'])]),
      review({ user: 'alice', ...attributes('list', { namespace: '' }) }),
    ),
    row(
      'a review of a service account’s role',
      ...granted(
        { kind: 'ServiceAccount', name: 'a', namespace: '{ns}' },
        [rule(['configmaps'], ['list'])],
        { headers: { 'impersonate-user': 'system:serviceaccount:{ns}:a' } },
      ),
      review({ user: 'system:serviceaccount:{ns}:a', ...attributes('list') }),
    ),
    row(
      'a review by name',
      ...granted(ALICE, [rule(['configmaps'], ['delete'], { resourceNames: ['a'] })]),
      review({ user: 'alice', ...attributes('delete', { name: 'a' }) }),
      { ...review({ user: 'alice', ...attributes('delete', { name: 'b' }) }), name: 'denied' },
      { ...review({ user: 'alice', ...attributes('delete') }), name: 'unnamed' },
    ),
    row(
      'a review of a subresource',
      ...granted(ALICE, [rule(['configmaps/x'], ['get'])]),
      review({ user: 'alice', ...attributes('get', { subresource: 'x' }) }),
    ),
    row(
      'alice asks for herself',
      ...granted(ALICE, [rule(['configmaps'], ['list'])]),
      post(SelfSubjectAccessReview, { spec: attributes('list') }, alice),
    ),
    row(
      'the rules of a user',
      ...grantedEve([
        rule(['configmaps', 'secrets'], ['list', 'get'], { resourceNames: ['b', 'a'] }),
        { nonResourceURLs: ['/x'], verbs: ['get'] },
      ]),
      post(SelfSubjectRulesReview, { spec: { namespace: '{ns}' } }, { ...asEve, view: 'rules' }),
    ),
    row(
      'a right that is taken away',
      ...granted(ALICE, [rule(['configmaps'], ['list'])]),
      {
        name: 'gone',
        method: 'DELETE',
        path: `/apis/${RBAC}/v1/namespaces/{ns}/rolebindings/granted`,
        setup: true,
      },
      list('list', ConfigMap, { ...alice, until: 403 }),
    ),
    row(
      'a role that grows',
      ...granted(ALICE, []),
      {
        name: 'grow',
        method: 'PATCH',
        path: `/apis/${RBAC}/v1/namespaces/{ns}/roles/granted`,
        headers: { 'content-type': 'application/merge-patch+json' },
        body: { rules: [rule(['secrets'], ['list'])] },
        setup: true,
      },
      list('list', Secret, { ...alice, until: 200 }),
    ),
    row(
      'create on update needs create',
      ...granted(ALICE, [rule(['leases'], ['update'], { apiGroups: ['coordination.k8s.io'] })]),
      read('put', pathOf(Lease), { ...alice, method: 'PUT', body: object(Lease) }),
    ),
    row(
      'apply that creates needs create',
      ...granted(ALICE, [rule(['configmaps'], ['patch'])]),
      read('apply', pathOf(ConfigMap), {
        ...alice,
        method: 'PATCH',
        query: { fieldManager: 'a' },
        headers: { 'content-type': 'application/apply-patch+yaml' },
        body: object(ConfigMap),
      }),
    ),
    row(
      'the roles of the start',
      read('discovery', `/apis/${RBAC}/v1/clusterroles/system:discovery`, {}),
      read('masters', `/apis/${RBAC}/v1/clusterrolebindings/cluster-admin`, {}),
      read(
        'reader',
        `/apis/${RBAC}/v1/namespaces/kube-system/roles/extension-apiserver-authentication-reader`,
        {},
      ),
    ),
    // Apart: rules of one kind are written together, in no defined order.
    row(
      'more roles of the start',
      read('basic', `/apis/${RBAC}/v1/clusterroles/system:basic-user`, {}),
      read('public', `/apis/${RBAC}/v1/clusterrolebindings/system:public-info-viewer`, {}),
    ),
  ],
};
