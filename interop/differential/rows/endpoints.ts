import type { Feature, RequestStep, Row, RowGroup } from '../row.ts';
import { FLUNDERS, get, given } from './wardle.ts';

function one(feature: Feature, name: string, step: Omit<RequestStep, 'name'>): Row {
  return { name, covers: { feature }, steps: [{ name: 'ask', ...step }] };
}

export const health: RowGroup = {
  name: 'health',
  rows: [
    one('health and version', 'health: healthz', { path: '/healthz' }),
    one('health and version', 'health: livez', { path: '/livez' }),
    one('health and version', 'health: readyz', { path: '/readyz' }),
    one('health and version', 'health: readyz in words', {
      path: '/readyz',
      query: { verbose: '' },
      view: 'checks',
    }),
    one('health and version', 'health: livez in words', {
      path: '/livez',
      query: { verbose: '1' },
      view: 'checks',
    }),
    one('health and version', 'health: one check', { path: '/healthz/ping' }),
    one('health and version', 'health: an unknown check', {
      path: '/healthz/nonsense',
      view: 'paths',
    }),
    one('health and version', 'health: an excluded check', {
      path: '/livez',
      query: { verbose: '', exclude: 'ping' },
      view: 'checks',
    }),
    one('health and version', 'health: an unknown exclusion', {
      path: '/livez',
      query: { exclude: 'nonsense' },
    }),
    one('health and version', 'health: HEAD', { path: '/healthz', method: 'HEAD' }),
    one('health and version', 'version', { path: '/version', view: 'shape' }),
    one('health and version', 'version with a trailing slash', {
      path: '/version/',
      view: 'shape',
    }),
  ],
};

export const openapi: RowGroup = {
  name: 'openapi',
  rows: [
    one('openapi', 'openapi: index of v3', { path: '/openapi/v3' }),
    one('openapi', 'openapi: v3 of v1alpha1', {
      path: '/openapi/v3/apis/wardle.example.com/v1alpha1',
      view: 'openapi',
    }),
    one('openapi', 'openapi: v3 of v1beta1', {
      path: '/openapi/v3/apis/wardle.example.com/v1beta1',
      view: 'openapi',
    }),
    one('openapi', 'openapi: v3 of an unknown group', {
      path: '/openapi/v3/apis/unknown.example.com/v1',
    }),
    one('openapi', 'openapi: v2', { path: '/openapi/v2', view: 'openapi' }),
    {
      name: 'openapi: v3 is not sent twice',
      covers: { feature: 'openapi' },
      steps: [
        { name: 'first', path: '/openapi/v3/apis/wardle.example.com/v1alpha1', setup: true },
        {
          name: 'again',
          path: '/openapi/v3/apis/wardle.example.com/v1alpha1',
          headers: { 'if-none-match': '{etag:first}' },
        },
      ],
    },
  ],
};

export const authentication: RowGroup = {
  name: 'authentication',
  rows: [
    one('authentication', 'authentication: nobody lists', { path: FLUNDERS, as: 'nobody' }),
    one('authentication', 'authentication: nobody gets', { path: `${FLUNDERS}/a`, as: 'nobody' }),
    one('authentication', 'authentication: nobody creates', {
      path: FLUNDERS,
      method: 'POST',
      body: {},
      as: 'nobody',
    }),
    one('authentication', 'authentication: nobody deletes a collection', {
      path: FLUNDERS,
      method: 'DELETE',
      as: 'nobody',
    }),
    one('authentication', 'authentication: nobody watches', {
      path: FLUNDERS,
      query: { watch: '1' },
      as: 'nobody',
    }),
    one('authentication', 'authentication: nobody lists fischers', {
      path: '/apis/wardle.example.com/v1alpha1/fischers',
      as: 'nobody',
    }),
    one('authentication', 'authentication: nobody reads discovery', {
      path: '/apis',
      as: 'nobody',
    }),
    one('authentication', 'authentication: nobody asks for health', {
      path: '/healthz',
      as: 'nobody',
    }),
    one('authentication', 'authentication: nobody asks for readiness', {
      path: '/readyz',
      as: 'nobody',
    }),
    one('authentication', 'authentication: nobody asks for the version', {
      path: '/version',
      as: 'nobody',
      view: 'shape',
    }),
    one('authentication', 'authentication: nobody asks for an unknown path', {
      path: '/unknown/<b>&',
      as: 'nobody',
    }),
    one('authentication', 'authentication: a token that nobody issued', {
      path: FLUNDERS,
      as: 'bad-token',
    }),
    one('authentication', 'authentication: a token that nobody issued, for health', {
      path: '/healthz',
      as: 'bad-token',
    }),
    one('authentication', 'authentication: a certificate of another authority', {
      path: FLUNDERS,
      as: 'foreign-certificate',
    }),
    one('authentication', 'authentication: a certificate of another authority, over HTTP/1.1', {
      path: FLUNDERS,
      as: 'foreign-certificate',
      protocol: 'h1',
    }),
    one('authentication', 'authentication: identity headers without a front proxy', {
      path: FLUNDERS,
      as: 'nobody',
      headers: { 'x-remote-user': 'admin', 'x-remote-group': 'system:masters' },
    }),
  ],
};

export const routing: RowGroup = {
  name: 'routing',
  rows: [
    one('routing', 'routing: the root', { path: '/', view: 'paths' }),
    one('routing', 'routing: an unknown path', { path: '/unknown', view: 'paths' }),
    one('routing', 'routing: an unknown resource', {
      path: '/apis/wardle.example.com/v1alpha1/namespaces/{ns}/unknowns',
    }),
    one('routing', 'routing: an object of an unknown resource', {
      path: '/apis/wardle.example.com/v1alpha1/namespaces/{ns}/unknowns/a',
    }),
    one('routing', 'routing: a list in an unknown version', {
      path: '/apis/wardle.example.com/v9/namespaces/{ns}/flunders',
    }),
    one('routing', 'routing: a list in an unknown group', {
      path: '/apis/unknown.example.com/v1/namespaces/{ns}/flunders',
      view: 'paths',
    }),
    one('routing', 'routing: a subresource that does not exist', { path: `${FLUNDERS}/a/status` }),
    one('routing', 'routing: below a subresource', { path: `${FLUNDERS}/a/status/more` }),
    one('routing', 'routing: a namespaced object without a namespace', {
      path: '/apis/wardle.example.com/v1alpha1/flunders/a',
    }),
    one('routing', 'routing: a cluster resource in a namespace', {
      path: '/apis/wardle.example.com/v1alpha1/namespaces/{ns}/fischers',
    }),
    one('routing', 'routing: the core group', { path: '/api/v1/namespaces', view: 'paths' }),
    one('routing', 'routing: a namespace itself', {
      path: '/apis/wardle.example.com/v1alpha1/namespaces/{ns}',
    }),
    one('routing', 'routing: POST to all namespaces', {
      path: '/apis/wardle.example.com/v1alpha1/flunders',
      method: 'POST',
      body: {},
    }),
    one('routing', 'routing: DELETE of all namespaces', {
      path: '/apis/wardle.example.com/v1alpha1/flunders',
      method: 'DELETE',
    }),
    one('routing', 'routing: PUT to a collection', { path: FLUNDERS, method: 'PUT', body: {} }),
    one('routing', 'routing: PATCH of a collection', {
      path: FLUNDERS,
      method: 'PATCH',
      body: {},
      headers: { 'content-type': 'application/merge-patch+json' },
    }),
    one('routing', 'routing: POST to an object', {
      path: `${FLUNDERS}/a`,
      method: 'POST',
      body: {},
    }),
    one('routing', 'routing: HEAD of an object', { path: `${FLUNDERS}/a`, method: 'HEAD' }),
    one('routing', 'routing: HEAD of a collection', { path: FLUNDERS, method: 'HEAD' }),
    one('routing', 'routing: OPTIONS of an object', { path: `${FLUNDERS}/a`, method: 'OPTIONS' }),
    one('routing', 'routing: an invented method', {
      path: FLUNDERS,
      method: 'SEARCH',
      protocol: 'h1',
    }),
    one('routing', 'routing: the watch prefix with nothing after it', {
      path: '/apis/wardle.example.com/v1alpha1/watch',
    }),
    {
      name: 'routing: a trailing slash after a collection and an object',
      covers: { feature: 'routing' },
      steps: [given('a'), get('list', `${FLUNDERS}/`), get('object', `${FLUNDERS}/a/`)],
    },
    {
      name: 'routing: doubled slashes',
      covers: { feature: 'routing' },
      steps: [
        get('group', '//apis', { view: 'paths' }),
        get('resource', '/apis/wardle.example.com//v1alpha1/namespaces/{ns}/flunders'),
      ],
    },
    {
      name: 'routing: a percent sign in a name',
      covers: { feature: 'routing' },
      steps: [
        given('a'),
        get('escaped-letter', `${FLUNDERS}/%61`),
        get('escaped-slash', `${FLUNDERS}/a%2Fb`),
        get('escaped-percent', `${FLUNDERS}/a%25b`),
      ],
    },
    {
      name: 'routing: unknown query parameters are ignored',
      covers: { feature: 'routing' },
      steps: [given('a'), get('ask', `${FLUNDERS}/a`, { query: { nonsense: '1' } })],
    },
  ],
};
