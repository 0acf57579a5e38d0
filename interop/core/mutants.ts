/** Control planes with one bug each. The judge must catch every one. */

import { at, isArray, isObject, type Json, mapJson } from '../differential/json.ts';
import { forMethod, header, type Mutant, onBody, put, without } from '../differential/mutants.ts';
import type { RawResponse } from '../differential/step-result.ts';
import { customResourceMutants } from './custom-resource-mutants.ts';
import { formMutants } from './form-mutants.ts';

const SERVICE = 'services create: the least, with its defaults';
const SERVICES = 'services list: by label';
const TOKEN = 'service account tokens: a token';
const WHOAMI = 'service account tokens: who it is';
const TABLE = 'services list: as a Table';
const REFUSED = 'authorization: every verb refused';
const REVIEW = 'authorization: a review of a user’s role';

const status = (from: number, to: number) => (response: RawResponse) =>
  response.status === from ? { ...response, status: to } : response;

export const mutants: readonly Mutant[] = [
  ...formMutants,
  ...customResourceMutants,
  {
    name: 'a service without an address',
    row: SERVICE,
    response: onBody((b) => without(b, 'spec', 'clusterIP')),
  },
  {
    name: 'a service whose addresses differ',
    row: SERVICE,
    response: onBody((b) => put(b, ['10.0.0.200'], 'spec', 'clusterIPs')),
  },
  {
    name: 'an address outside of the pool',
    row: SERVICE,
    response: onBody((b) => put(b, '10.0.1.9', 'spec', 'clusterIP')),
  },
  { name: 'one address for two services', row: SERVICES, response: onBody(oneAddress) },
  {
    name: 'an address that changes',
    row: SERVICE,
    response: forMethod(
      'GET',
      onBody((b) => put(b, '10.0.0.201', 'spec', 'clusterIP')),
    ),
  },
  {
    name: 'no affinity by default',
    row: SERVICE,
    response: onBody((b) => without(b, 'spec', 'sessionAffinity')),
  },
  {
    name: 'a node port outside of the range',
    row: 'services create: NodePort',
    response: onBody((b) => mapJson(b, (_, key) => (key === 'nodePort' ? 29_999 : undefined))),
  },
  {
    name: 'an immutable field that changes',
    row: 'configmaps update: of an immutable one’s data',
    response: forMethod('PUT', status(422, 200)),
  },
  {
    name: 'an unknown field that nobody minds',
    row: 'configmaps create: with an unknown field',
    response: header('warning'),
  },
  {
    name: 'a kind that is not called old',
    row: 'endpoints create: the least, with its defaults',
    response: header('warning'),
  },
  {
    name: 'stringData that is read back',
    row: 'secrets create: every field',
    response: onBody((b) => put(b, { b: 'two' }, 'stringData')),
  },
  {
    name: 'a namespace without the label of its name',
    row: 'namespaces create: the least, with its defaults',
    response: onBody((b) => without(b, 'metadata', 'labels', 'kubernetes.io/metadata.name')),
  },
  {
    name: 'a namespace without its finalizer',
    row: 'namespaces create: the least, with its defaults',
    response: onBody((b) => without(b, 'spec')),
  },
  {
    name: 'a refusal that does not say why it is one',
    row: 'namespace lifecycle: a create in a terminating namespace',
    response: onBody((b) => without(b, 'details', 'causes')),
  },
  {
    name: 'a token for longer',
    row: TOKEN,
    response: onClaims((c) => ({ ...c, exp: Number(c.exp) + 1 })),
  },
  { name: 'a token for everybody', row: TOKEN, response: onClaims(({ aud: _, ...c }) => c) },
  {
    name: 'a token of another account',
    row: TOKEN,
    response: onClaims((c) => ({ ...c, sub: 'x' })),
  },
  {
    name: 'a token of long ago',
    row: TOKEN,
    response: onClaims((c) => ({ ...c, iat: 1, nbf: 1 })),
  },
  { name: 'no token', row: TOKEN, response: onBody((b) => put(b, '', 'status', 'token')) },
  {
    name: 'an account that is in no group',
    row: WHOAMI,
    response: onBody((b) => put(b, ['system:authenticated'], 'status', 'userInfo', 'groups')),
  },
  {
    name: 'groups in another order',
    row: WHOAMI,
    response: onBody((b) => {
      const groups = at(b, 'status', 'userInfo', 'groups');
      return put(b, isArray(groups) ? groups.toReversed() : [], 'status', 'userInfo', 'groups');
    }),
  },
  {
    name: 'a bad token that becomes nobody',
    row: 'authentication: a bad token',
    response: status(401, 403),
  },
  {
    name: 'a front proxy of any name',
    row: 'authentication: a front proxy of another name',
    response: status(401, 201),
  },
  {
    name: 'groups that are split at commas',
    row: 'authentication: headers of a front proxy',
    response: onBody((b) =>
      put(b, ['one', 'two', 'three', 'system:authenticated'], 'status', 'userInfo', 'groups'),
    ),
  },
  { name: 'a refusal as if nothing were there', row: REFUSED, response: status(403, 404) },
  {
    name: 'a refusal of another verb',
    row: REFUSED,
    response: onBody((b) =>
      put(b, String(at(b, 'message')).replace('cannot watch', 'cannot list'), 'message'),
    ),
  },
  {
    name: 'a review that allows',
    row: REVIEW,
    response: onBody((b) => put(b, true, 'status', 'allowed')),
  },
  {
    name: 'a review without a reason',
    row: REVIEW,
    response: onBody((b) => without(b, 'status', 'reason')),
  },
  {
    name: 'rights that are given without being held',
    row: 'escalation: a role with rights that are not',
    response: status(403, 201),
  },
  {
    name: 'a right that is not named',
    row: 'escalation: a role with several rules',
    response: onBody((b) =>
      put(b, String(at(b, 'message')).split('\n').slice(0, -1).join('\n'), 'message'),
    ),
  },
  {
    name: 'impersonation without asking',
    row: 'impersonation: bob may not',
    response: status(403, 201),
  },
  {
    name: 'a column less',
    row: TABLE,
    response: onBody((b) => put(b, dropLast(at(b, 'columnDefinitions')), 'columnDefinitions')),
  },
  {
    name: 'a wide column that is always shown',
    row: TABLE,
    response: onBody((b) =>
      mapJson(b, (value, key) => (key === 'priority' && value === 1 ? 0 : undefined)),
    ),
  },
  {
    name: 'a cell that is empty',
    row: TABLE,
    response: onBody((b) => mapJson(b, (value) => (value === '<none>' ? '' : undefined))),
  },
  {
    name: 'a kind without its short name',
    row: 'discovery: resources of the core group',
    response: onBody((b) => mapJson(b, (_, key) => (key === 'shortNames' ? [] : undefined))),
  },
  {
    name: 'a time with fewer digits',
    row: 'leases create: the least, with its defaults',
    response: onBody((b) => put(b, '2001-01-01T00:00:00Z', 'spec', 'renewTime')),
  },
];

function oneAddress(body: Json): Json {
  const first = at(body, 'items', 0, 'spec', 'clusterIP') ?? '';
  return mapJson(body, (_, key) => {
    if (key === 'clusterIP') return first;
    return key === 'clusterIPs' ? [first] : undefined;
  });
}

type Claims = { readonly [key: string]: Json };

/** Changes the claims of a token without signing it again. */
function onClaims(change: (claims: Claims) => Claims): (response: RawResponse) => RawResponse {
  return onBody((body) => {
    const [head, claims = '', signature] = String(at(body, 'status', 'token') ?? '').split('.');
    if (signature === undefined) return body;
    const said = JSON.parse(Buffer.from(claims, 'base64url').toString('utf8')) as Json;
    const changed = isObject(said) ? change(said) : said;
    const text = Buffer.from(JSON.stringify(changed)).toString('base64url');
    return put(body, [head, text, signature].join('.'), 'status', 'token');
  });
}

function dropLast(list: Json | undefined): Json {
  return isArray(list) ? list.slice(0, -1) : [];
}
