/** Discovery, health and OpenAPI of the server, and authentication of clients. */
import type { RequestStep, Row, RowGroup } from '../../differential/row.ts';
import { ConfigMap, groupOf, kinds, SelfSubjectReview } from '../kinds.ts';
import { collection, feature, type More, post } from './words.ts';

const groups = [...new Set(kinds.map(groupOf))];
const view = { resources: [...new Set(kinds.map(({ plural }) => plural))], groups };
const discovered = feature('discovery');
const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

function read(name: string, path: string, more: More = {}): Row {
  return discovered(name, { name: 'read', path, view, ...more });
}

export const discovery: RowGroup = {
  name: 'discovery',
  rows: [
    // The address in it is the server's own.
    read('versions of the core group', '/api'),
    read('resources of the core group', '/api/v1'),
    read('groups', '/apis'),
    ...groups
      .filter((group) => group !== '')
      .flatMap((group) => [
        read(`the group ${group}`, `/apis/${group}`),
        read(`resources of ${group}`, `/apis/${group}/v1`),
      ]),
    read('aggregated, the core group', '/api', { headers: { accept: AGGREGATED } }),
    read('aggregated, the other groups', '/apis', { headers: { accept: AGGREGATED } }),
    read('an unknown version of the core group', '/api/v2'),
    read('as alice', '/api/v1', { as: 'alice' }),
    read('as nobody', '/api/v1', { as: 'nobody' }),
  ],
};

const health = feature('health and version');
const openapi = feature('openapi');

export const endpoints: RowGroup = {
  name: 'server',
  rows: [
    ...['/healthz', '/livez', '/readyz'].flatMap((path) => [
      health(path, { name: 'read', path }),
      health(`${path} as nobody`, { name: 'read', path, as: 'nobody' }),
      health(`${path} with a bad token`, { name: 'read', path, as: 'bad-token' }),
      health(`${path} in detail`, { name: 'read', path, query: { verbose: '1' }, view: 'checks' }),
    ]),
    health('/version', { name: 'read', path: '/version', view: 'shape' }),
    health('/version as nobody', { name: 'read', path: '/version', as: 'nobody', view: 'shape' }),
    health('/metrics as nobody', { name: 'read', path: '/metrics', as: 'nobody' }),
    health('/metrics as alice', { name: 'read', path: '/metrics', as: 'alice' }),
    health('/ as nobody', { name: 'read', path: '/', as: 'nobody' }),
    ...['authentication.k8s.io', 'authorization.k8s.io', 'coordination.k8s.io'].map((group) =>
      openapi(group, { name: 'read', path: `/openapi/v3/apis/${group}/v1`, view: 'openapi' }),
    ),
    openapi('as nobody', { name: 'read', path: '/openapi/v3', as: 'nobody' }),
  ],
};

const authenticated = feature('authentication');
const whoami = (more: More): RequestStep =>
  post(
    SelfSubjectReview,
    { apiVersion: SelfSubjectReview.apiVersion, kind: SelfSubjectReview.kind },
    { name: 'whoami', ...more },
  );
const LIST = { name: 'list', path: collection(ConfigMap) };
const remote = {
  'x-remote-user': 'dave',
  'x-remote-group': ['one', 'two,three'],
  'x-remote-extra-example.org%2fa': ['x', 'y'],
};

export const authentication: RowGroup = {
  name: 'authentication',
  rows: [
    authenticated('nobody may not list', { ...LIST, as: 'nobody' }),
    authenticated('nobody may not create', post(ConfigMap, {}, { as: 'nobody' })),
    authenticated('a bad token', { ...LIST, as: 'bad-token' }),
    authenticated('a certificate of another authority', { ...LIST, as: 'foreign-certificate' }),
    authenticated('a certificate', whoami({ as: 'carol' })),
    authenticated('a token', whoami({ as: 'alice' })),
    authenticated(
      'a scheme in capitals',
      whoami({ as: 'nobody', headers: { authorization: 'BEARER alice-token' } }),
    ),
    authenticated(
      'a token after two spaces',
      whoami({ as: 'nobody', headers: { authorization: 'Bearer  alice-token' } }),
    ),
    authenticated(
      'a token with something after it',
      whoami({ as: 'nobody', headers: { authorization: 'Bearer alice-token x' } }),
    ),
    authenticated(
      'another scheme',
      whoami({ as: 'nobody', headers: { authorization: 'Basic YWxpY2U6eA==' } }),
    ),
    authenticated(
      'a certificate and a bad token',
      whoami({ as: 'carol', headers: { authorization: 'Bearer unknown' } }),
    ),
    authenticated(
      'a certificate and a token of somebody else',
      whoami({ as: 'carol', headers: { authorization: 'Bearer alice-token' } }),
    ),
    authenticated(
      'a foreign certificate and a good token',
      whoami({ as: 'foreign-certificate', headers: { authorization: 'Bearer alice-token' } }),
    ),
    authenticated('headers of a front proxy', whoami({ as: 'front-proxy', headers: remote })),
    authenticated('a front proxy for nobody', whoami({ as: 'front-proxy' })),
    authenticated(
      'a front proxy with a uid',
      whoami({ as: 'front-proxy', headers: { ...remote, 'x-remote-uid': 'u-1' } }),
    ),
    authenticated('a front proxy for a master', {
      ...LIST,
      as: 'front-proxy',
      headers: { 'x-remote-user': 'dave', 'x-remote-group': 'system:masters' },
      query: { labelSelector: 'row={ns}' },
    }),
    authenticated(
      'a front proxy of another name',
      whoami({ as: 'front-proxy-other', headers: remote }),
    ),
    authenticated(
      'headers of a front proxy with a user’s certificate',
      whoami({ as: 'carol', headers: remote }),
    ),
    authenticated(
      'headers of a front proxy with a token',
      whoami({ as: 'alice', headers: remote }),
    ),
    authenticated('headers of a front proxy alone', whoami({ as: 'nobody', headers: remote })),
  ],
};
