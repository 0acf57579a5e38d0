import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accessInfo, person } from '../../test/access-fixture.ts';
import { accessReviewSpec } from './access-review.ts';

const alice = { ...person('alice', ['dev']), uid: '5', extra: { b: ['x', 'y'], a: [] } };

const cases = [
  {
    name: 'a resource',
    request: {
      user: alice,
      info: accessInfo({
        verb: 'list',
        group: 'apps',
        resource: 'deployments',
        subresource: 'scale',
        namespace: 'eu',
        name: 'web',
      }),
    },
    want: '{"resourceAttributes":{"namespace":"eu","verb":"list","group":"apps","version":"v1","resource":"deployments","subresource":"scale","name":"web"},"user":"alice","groups":["dev"],"extra":{"a":[],"b":["x","y"]},"uid":"5"}',
  },
  {
    name: 'a path',
    request: { user: person('u'), info: accessInfo({ verb: 'list', path: '/metrics' }) },
    want: '{"nonResourceAttributes":{"path":"/metrics","verb":"list"},"user":"u"}',
  },
  {
    name: 'selectors',
    request: {
      user: person('u'),
      info: {
        ...accessInfo({ verb: 'list', resource: 'pods' }),
        fieldSelector: 'metadata.name=a,status.phase!=Failed',
        labelSelector: 'a=b,c in (e,d),!f,g,h!=i,n>3',
      },
    },
    want: '{"resourceAttributes":{"verb":"list","version":"v1","resource":"pods","fieldSelector":{"requirements":[{"key":"metadata.name","operator":"In","values":["a"]},{"key":"status.phase","operator":"NotIn","values":["Failed"]}]},"labelSelector":{"requirements":[{"key":"a","operator":"In","values":["b"]},{"key":"c","operator":"In","values":["d","e"]},{"key":"f","operator":"DoesNotExist"},{"key":"g","operator":"Exists"},{"key":"h","operator":"NotIn","values":["i"]}]}},"user":"u"}',
  },
  {
    name: 'selectors that nobody understands',
    request: {
      user: person('u'),
      info: {
        ...accessInfo({ verb: 'list', resource: 'pods' }),
        fieldSelector: 'x',
        labelSelector: '(',
      },
    },
    want: '{"resourceAttributes":{"verb":"list","version":"v1","resource":"pods"},"user":"u"}',
  },
];
for (const { name, request, want } of cases) {
  test(name, () => assert.equal(JSON.stringify(accessReviewSpec(request)), want));
}
