import assert from 'node:assert/strict';
import { test } from 'node:test';
import { impersonationHeadersOf } from './shared-access.ts';

const cases = [
  {
    name: 'everything that is known of a user, one line each',
    user: {
      name: 'jane',
      uid: '7',
      groups: ['dev,ops', 'system:authenticated', 'qa'],
      extra: { 'Example.com/Scope': ['a', 'b'] },
    },
    want: [
      ['impersonate-user', 'jane'],
      ['impersonate-uid', '7'],
      ['impersonate-group', 'dev,ops'],
      ['impersonate-group', 'qa'],
      ['impersonate-extra-example.com%2fscope', 'a'],
      ['impersonate-extra-example.com%2fscope', 'b'],
    ],
  },
  {
    name: 'names are the bytes of UTF-8',
    user: { name: 'jürgen', uid: '', groups: [], extra: {} },
    want: [['impersonate-user', 'jÃ¼rgen']],
  },
];

for (const { name, user, want } of cases) {
  test(name, () => assert.deepEqual(impersonationHeadersOf()(user), want));
}
