import assert from 'node:assert/strict';
import { test } from 'node:test';
import { frontProxyHeaders } from './front-proxy-headers.ts';

const alice = { name: 'alice', uid: '', groups: [], extra: {} };

const cases = [
  { name: 'a name alone', user: {}, want: ['x-remote-user: alice'] },
  {
    name: 'a uid, and groups in their order, with commas',
    user: { uid: '7', groups: ['b', 'a,c', 'b'] },
    want: [
      ...['x-remote-user: alice', 'x-remote-uid: 7'],
      ...['x-remote-group: b', 'x-remote-group: a,c', 'x-remote-group: b'],
    ],
  },
  {
    name: 'keys that names of headers cannot have',
    user: { extra: { 'example.com/Scopes': ['a', ''], 'a%b c': ['x'], "!#$&'*+-.^_`|~": ['y'] } },
    want: [
      ...['x-remote-user: alice', 'x-remote-extra-example.com%2fscopes: a'],
      ...['x-remote-extra-example.com%2fscopes: ', 'x-remote-extra-a%25b%20c: x'],
      "x-remote-extra-!#$&'*+-.^_`|~: y",
    ],
  },
  {
    name: 'text that is not ASCII, as bytes of UTF-8',
    user: { name: 'ü', groups: ['☂'], extra: { ü: ['é'] } },
    want: [...['x-remote-user: Ã¼', 'x-remote-group: â\u0098\u0082', 'x-remote-extra-%c3%bc: Ã©']],
  },
];
for (const { name, user, want } of cases) {
  test(`front-proxy headers of a user: ${name}`, () => {
    const lines = frontProxyHeaders()({ ...alice, ...user });
    assert.deepEqual(
      lines.map((line) => line.join(': ')),
      want,
    );
  });
}

for (const bad of ['a\r\nx-remote-group: system:masters', 'a\nb', 'a\0', 'a\x7f']) {
  test(`${JSON.stringify(bad)} in a group could be read as another header, and is rejected`, () => {
    assert.throws(() => frontProxyHeaders()({ ...alice, groups: [bad] }), {
      message: /invalid header field value for "x-remote-group"/,
    });
  });
}
