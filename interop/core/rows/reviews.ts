/** Reviews: computed answers that nothing stores. Also ComponentStatuses, which nothing stores either. */
import type { Json, JsonObject } from '../../differential/json.ts';
import type { RequestStep, Row, RowGroup } from '../../differential/row.ts';
import {
  ComponentStatus,
  type Kind,
  LocalSubjectAccessReview,
  SelfSubjectAccessReview,
  SelfSubjectReview,
  SelfSubjectRulesReview,
  SubjectAccessReview,
  TokenReview,
} from '../kinds.ts';
import { collection, list, type More, pathOf, post, row, TABLE } from './words.ts';

const body = (kind: Kind, spec: Json, more: JsonObject = {}): JsonObject => ({
  apiVersion: kind.apiVersion,
  kind: kind.kind,
  ...more,
  spec,
});

function ask(kind: Kind, name: string, spec: Json, more: More = {}): Row {
  return row(kind, 'create', name, post(kind, body(kind, spec), more));
}

/** Errors common to all reviews. */
function formRows(kind: Kind, spec: JsonObject): Row[] {
  const whole = body(kind, spec);
  return [
    row(kind, 'create', 'an unknown field', post(kind, { ...whole, strange: 1 })),
    row(
      kind,
      'create',
      'an unknown field, refused',
      post(kind, { ...whole, strange: 1 }, { query: { fieldValidation: 'Strict' } }),
    ),
    row(kind, 'create', 'a spec that is a text', post(kind, { ...whole, spec: 'x' })),
    row(kind, 'create', 'of another kind', post(kind, { ...whole, kind: 'Pod' })),
    row(kind, 'create', 'with a name', post(kind, { ...whole, metadata: { name: 'a' } })),
    row(kind, 'create', 'as a dry run', post(kind, whole, { query: { dryRun: 'All' } })),
    row(kind, 'create', 'as a Table', post(kind, whole, { headers: { accept: TABLE } })),
    row(kind, 'list', 'is not served', { name: 'list', path: collection(kind) }),
    row(kind, 'get', 'is not served', { name: 'get', path: `${collection(kind)}/a` }),
  ];
}

const attributes = (more: JsonObject = {}): JsonObject => ({
  resourceAttributes: { namespace: '{ns}', verb: 'get', resource: 'configmaps', ...more },
});
const path = (name: string, verb = 'get'): JsonObject => ({
  nonResourceAttributes: { path: name, verb },
});
const user = { user: '{ns}-user' };

export const accessReviews: RowGroup = {
  name: 'access-reviews',
  rows: [
    ...formRows(SubjectAccessReview, { ...user, ...attributes() }),
    ask(SubjectAccessReview, 'not allowed', { ...user, ...attributes() }),
    ask(SubjectAccessReview, 'allowed as a master', {
      ...user,
      groups: ['system:masters'],
      ...attributes(),
    }),
    ask(SubjectAccessReview, 'a path for everybody', {
      ...user,
      groups: ['system:authenticated'],
      ...path('/api'),
    }),
    ask(SubjectAccessReview, 'a path for nobody', {
      user: 'system:anonymous',
      groups: ['system:unauthenticated'],
      ...path('/metrics'),
    }),
    ask(SubjectAccessReview, 'a path by prefix', {
      ...user,
      groups: ['system:authenticated'],
      ...path('/openapi/v3/apis/x'),
    }),
    ask(SubjectAccessReview, 'by group only', { groups: ['system:masters'], ...attributes() }),
    ask(SubjectAccessReview, 'of the controller manager', {
      user: 'system:kube-controller-manager',
      ...attributes({ verb: 'create', resource: 'secrets' }),
    }),
    ask(SubjectAccessReview, 'every field', {
      user: '{ns}-user',
      uid: 'u',
      groups: ['g'],
      extra: { 'Example.com/Key': ['v'] },
      ...attributes({
        group: 'apps',
        version: 'v1',
        subresource: 'scale',
        name: 'n',
        fieldSelector: { rawSelector: 'metadata.name=a' },
        labelSelector: { requirements: [{ key: 'a', operator: 'In', values: ['b'] }] },
      }),
    }),
    ask(SubjectAccessReview, 'without a subject', attributes()),
    ask(SubjectAccessReview, 'without attributes', user),
    ask(SubjectAccessReview, 'with both attributes', { ...user, ...attributes(), ...path('/x') }),
    ask(SubjectAccessReview, 'with both forms of a selector', {
      ...user,
      ...attributes({
        fieldSelector: {
          rawSelector: 'a=b',
          requirements: [{ key: 'a', operator: 'In', values: ['b'] }],
        },
      }),
    }),
    ask(SubjectAccessReview, 'with a requirement without a key', {
      ...user,
      ...attributes({ labelSelector: { requirements: [{ key: '', operator: 'Exists' }] } }),
    }),
    ask(SubjectAccessReview, 'with no requirements', {
      ...user,
      ...attributes({ labelSelector: { requirements: [] } }),
    }),
    ask(SubjectAccessReview, 'by alice', { ...user, ...attributes() }, { as: 'alice' }),

    ...formRows(LocalSubjectAccessReview, { ...user, ...attributes() }),
    ask(LocalSubjectAccessReview, 'not allowed', { ...user, ...attributes() }),
    ask(LocalSubjectAccessReview, 'allowed as a master', {
      ...user,
      groups: ['system:masters'],
      ...attributes(),
    }),
    ask(LocalSubjectAccessReview, 'in another namespace', {
      ...user,
      ...attributes({ namespace: 'other' }),
    }),
    ask(LocalSubjectAccessReview, 'with a path', { ...user, ...path('/x') }),
    ask(LocalSubjectAccessReview, 'without a subject', attributes()),
    row(
      LocalSubjectAccessReview,
      'create',
      'with another namespace in its metadata',
      post(
        LocalSubjectAccessReview,
        body(
          LocalSubjectAccessReview,
          { ...user, ...attributes() },
          { metadata: { namespace: 'other' } },
        ),
      ),
    ),

    ...formRows(SelfSubjectAccessReview, attributes()),
    ask(SelfSubjectAccessReview, 'as a master', attributes()),
    ask(SelfSubjectAccessReview, 'as alice', attributes(), { as: 'alice' }),
    ask(SelfSubjectAccessReview, 'a path as alice', path('/openapi/v3'), { as: 'alice' }),
    ask(SelfSubjectAccessReview, 'as nobody', attributes(), { as: 'nobody' }),
    ask(SelfSubjectAccessReview, 'without attributes', {}),
    ask(SelfSubjectAccessReview, 'with both attributes', { ...attributes(), ...path('/x') }),

    ...formRows(SelfSubjectRulesReview, { namespace: '{ns}' }).map(sortedRules),
    ask(SelfSubjectRulesReview, 'as a master', { namespace: '{ns}' }, { view: 'rules' }),
    ask(SelfSubjectRulesReview, 'as bob', { namespace: '{ns}' }, { as: 'bob', view: 'rules' }),
    ask(SelfSubjectRulesReview, 'without a namespace', {}, { as: 'bob' }),
    ask(SelfSubjectRulesReview, 'as nobody', { namespace: '{ns}' }, { as: 'nobody' }),
  ],
};

function sortedRules(one: Row): Row {
  return {
    ...one,
    steps: one.steps.map((step) => ({ ...(step as RequestStep), view: 'rules' as const })),
  };
}

export const identityReviews: RowGroup = {
  name: 'identity-reviews',
  rows: [
    ...formRows(TokenReview, { token: 'unknown' }),
    ask(TokenReview, 'without a token', {}),
    ask(TokenReview, 'of an unknown token', { token: 'unknown' }),
    ask(TokenReview, 'of alice', { token: 'alice-token' }),
    ask(TokenReview, 'of bob', { token: 'bob-token' }),
    ask(TokenReview, 'of alice for an audience', { token: 'alice-token', audiences: ['x'] }),
    ask(TokenReview, 'of alice for the server’s audience', {
      token: 'alice-token',
      audiences: ['https://kubernetes.default.svc'],
    }),
    ask(TokenReview, 'of what is no token', { token: 'a b' }),
    ask(TokenReview, 'by alice', { token: 'alice-token' }, { as: 'alice' }),
    ...formRows(SelfSubjectReview, {}),
    ...(['admin', 'alice', 'bob', 'carol', 'nobody', 'bad-token'] as const).map((as) =>
      ask(SelfSubjectReview, `as ${as}`, {}, { as }),
    ),
  ],
};

export const componentStatuses: RowGroup = {
  name: 'componentstatuses',
  rows: [
    row(ComponentStatus, 'get', 'a missing one', { name: 'get', path: pathOf(ComponentStatus) }),
    row(ComponentStatus, 'list', 'none that match', list(ComponentStatus)),
    row(
      ComponentStatus,
      'list',
      'none that match, as a Table',
      list(ComponentStatus, { headers: { accept: TABLE } }),
    ),
    row(
      ComponentStatus,
      'create',
      'is not served',
      post(ComponentStatus, { metadata: { name: 'a' } }),
    ),
    row(ComponentStatus, 'delete', 'is not served', {
      name: 'delete',
      method: 'DELETE',
      path: pathOf(ComponentStatus),
    }),
    row(ComponentStatus, 'list', 'as alice', list(ComponentStatus, { as: 'alice' })),
  ],
};
