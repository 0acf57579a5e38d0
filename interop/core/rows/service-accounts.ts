/** ServiceAccounts, the tokens that are issued for them, and what those tokens are good for. */
import type { JsonObject } from '../../differential/json.ts';
import type { RequestStep, RowGroup } from '../../differential/row.ts';
import { ConfigMap, Secret, SelfSubjectReview, ServiceAccount, TokenReview } from '../kinds.ts';
import { everyKind } from './every-kind.ts';
import { granted, rule } from './policy.ts';
import {
  collection,
  creates,
  feature,
  given,
  type More,
  object,
  pathOf,
  post,
  remove,
} from './words.ts';

export const serviceAccounts: RowGroup = {
  name: 'serviceaccounts',
  rows: [
    ...everyKind(ServiceAccount, {
      minimal: {},
      full: {
        secrets: [{ name: 'one' }, { name: 'two', namespace: 'x', kind: 'Secret' }],
        imagePullSecrets: [{ name: 'registry' }],
        automountServiceAccountToken: false,
      },
      changed: { automountServiceAccountToken: true },
      merge: { imagePullSecrets: [{ name: 'other' }] },
      json: [{ op: 'remove', path: '/automountServiceAccountToken' }],
      strategic: { secrets: [{ name: 'three' }], imagePullSecrets: [{ name: 'other' }] },
      applied: { imagePullSecrets: [{ name: 'applied' }] },
      wrongTypes: {
        'with secrets that are texts': { secrets: ['one'] },
        'with automount that is a text': { automountServiceAccountToken: 'no' },
      },
    }),
    ...creates(ServiceAccount, {
      'with a secret twice': { secrets: [{ name: 'one' }, { name: 'one' }] },
      'with a colon in its name': { metadata: { name: 'a:b' } },
    }),
  ],
};

const tokens = feature('service account tokens');
const account = given(ServiceAccount);
const path = `${pathOf(ServiceAccount)}/token`;

function request(spec: JsonObject, more: More = {}): RequestStep {
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec };
  return { name: 'token', method: 'POST', path, body, ...more };
}

const bound = (kind: string, name: string, more: JsonObject = {}): JsonObject => ({
  boundObjectRef: { kind, apiVersion: 'v1', name, ...more },
});
const token = request({}, { setup: true });
const bearer = { as: 'nobody', headers: { authorization: 'Bearer {token:token}' } } as const;
const review = (spec: JsonObject): RequestStep =>
  post(
    TokenReview,
    { apiVersion: TokenReview.apiVersion, kind: TokenReview.kind, spec },
    { name: 'review' },
  );
const whoami = post(
  SelfSubjectReview,
  { apiVersion: SelfSubjectReview.apiVersion, kind: SelfSubjectReview.kind },
  { name: 'whoami', ...bearer },
);
const secret = given(Secret, {}, 's');

export const serviceAccountTokens: RowGroup = {
  name: 'serviceaccount-tokens',
  rows: [
    tokens('a token', account, request({})),
    tokens('a token for an hour and a half', account, request({ expirationSeconds: 5400 })),
    tokens('a token for audiences', account, request({ audiences: ['a', 'b'] })),
    tokens('an empty body', account, request({}, { body: {} })),
    tokens('a short token', account, request({ expirationSeconds: 599 })),
    tokens('a token for ever', account, request({ expirationSeconds: 4_294_967_297 })),
    tokens('of a missing account', request({})),
    tokens(
      'with another name',
      account,
      request({}, { body: { metadata: { name: 'b' }, spec: {} } }),
    ),
    tokens(
      'with another namespace',
      account,
      request({}, { body: { metadata: { namespace: 'b' }, spec: {} } }),
    ),
    tokens(
      'with another uid',
      account,
      request(
        {},
        { body: { metadata: { uid: '11111111-2222-4333-8444-555555555555' }, spec: {} } },
      ),
    ),
    tokens('of another kind', account, request({}, { body: { apiVersion: 'v1', kind: 'Pod' } })),
    tokens('as a dry run', account, request({}, { query: { dryRun: 'All' } })),
    tokens('with an expiration that is a text', account, request({ expirationSeconds: 'x' })),
    tokens(
      'with an unknown field, refused',
      account,
      request({ strange: 1 }, { query: { fieldValidation: 'Strict' } }),
    ),
    tokens('cannot be read', account, { name: 'read', path }),
    tokens('bound to a secret', account, secret, request(bound('Secret', 's'))),
    tokens(
      'bound to a secret of another uid',
      account,
      secret,
      request(bound('Secret', 's', { uid: 'x' })),
    ),
    tokens('bound to a missing secret', account, request(bound('Secret', 's'))),
    tokens('bound to a missing pod', account, request(bound('Pod', 'p'))),
    tokens('bound to a config map', account, request(bound('ConfigMap', 'c'))),
    tokens('who it is', account, token, whoami),
    tokens('reviewed', account, token, review({ token: '{token:token}' })),
    tokens(
      'reviewed for its audience',
      account,
      request({ audiences: ['a', 'b'] }, { setup: true }),
      review({ token: '{token:token}', audiences: ['b', 'c'] }),
    ),
    tokens(
      'reviewed for another audience',
      account,
      request({ audiences: ['a'] }, { setup: true }),
      review({ token: '{token:token}', audiences: ['c'] }),
    ),
    tokens(
      'of another audience is refused',
      account,
      request({ audiences: ['a'] }, { setup: true }),
      whoami,
    ),
    tokens('may not read', account, token, {
      name: 'list',
      path: collection(ConfigMap),
      ...bearer,
    }),
    tokens(
      'may what its binding says',
      account,
      token,
      ...granted(
        { kind: 'ServiceAccount', name: 'a', namespace: '{ns}' },
        [rule(['configmaps'], ['get'])],
        bearer,
      ),
      given(ConfigMap, {}, 'c'),
      { name: 'read', path: pathOf(ConfigMap, 'c'), ...bearer },
      { name: 'forbidden', path: collection(Secret), ...bearer },
    ),
    tokens(
      'of an account that is gone is refused',
      account,
      request({}),
      remove(ServiceAccount, { setup: true }),
      { ...whoami, until: 401 },
    ),
    tokens(
      'of an account that was made again is refused',
      account,
      token,
      remove(ServiceAccount, { setup: true }),
      post(ServiceAccount, object(ServiceAccount), { name: 'again', setup: true }),
      { ...whoami, until: 401 },
    ),
    tokens(
      'bound to a secret that is gone is refused',
      account,
      secret,
      request(bound('Secret', 's'), { setup: true }),
      remove(Secret, { name: 'gone', path: pathOf(Secret, 's'), setup: true }),
      { ...whoami, until: 401 },
    ),
    tokens('with a broken signature is refused', account, token, {
      ...whoami,
      headers: { authorization: 'Bearer {token:token}x' },
    }),
    tokens('discovery of the issuer', {
      name: 'read',
      path: '/.well-known/openid-configuration',
      view: 'shape',
    }),
    tokens('keys of the issuer', { name: 'read', path: '/openid/v1/jwks', view: 'shape' }),
    tokens('nobody may read the keys', { name: 'read', path: '/openid/v1/jwks', as: 'nobody' }),
  ],
};
