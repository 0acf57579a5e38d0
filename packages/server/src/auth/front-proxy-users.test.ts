import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Authentication } from '../request/authenticator.ts';
import { RequestHeaders } from '../request/request-headers.ts';
import { frontProxyUsers } from './front-proxy-users.ts';
import { standardRequestHeaders } from './request-header-names.ts';

const names = { ...standardRequestHeaders, uidHeaders: ['x-remote-uid'] };
const ALICE = ['X-Remote-User', 'alice', 'X-Remote-Group', 'a', 'x-remote-group', 'b'];
const WITH_MORE = [...ALICE, 'X-Remote-Uid', 'u', 'X-Remote-Extra-Key', 'v'];

function userIn(result: Authentication) {
  return result.outcome === 'authenticated' ? result.user : undefined;
}

test('who is told of in the same lines is the same object', () => {
  const userOf = frontProxyUsers();
  const first = userIn(userOf(new RequestHeaders([...ALICE, 'Accept', 'a']), names));
  const again = userIn(userOf(new RequestHeaders(['accept', 'b', ...ALICE]), names));
  assert.deepEqual(first?.groups, ['a', 'b']);
  assert.equal(again, first);
});

const others = [
  { name: 'another name', lines: ['X-Remote-User', 'bob', ...ALICE.slice(2)] },
  { name: 'a group less', lines: ALICE.slice(0, 4) },
  { name: 'groups in another order', lines: ['x-remote-group', 'b', ...ALICE.slice(0, 4)] },
  { name: 'two groups that look like one', lines: [...ALICE.slice(0, 2), 'x-remote-group', 'a,b'] },
  { name: 'a uid', lines: [...ALICE, 'x-remote-uid', 'u'] },
  { name: 'more about the user', lines: [...ALICE, 'x-remote-extra-key', 'v'] },
  { name: 'the same under another key', lines: [...ALICE, 'x-remote-extra-yek', 'v'] },
  { name: 'a value that looks like a line', lines: [...ALICE, 'x-remote-uid', 'x-remote-group:b'] },
];
for (const { name, lines } of others) {
  test(`with ${name} it is somebody else`, () => {
    const userOf = frontProxyUsers();
    const alone = userIn(frontProxyUsers()(new RequestHeaders(lines), names));
    for (const before of [ALICE, WITH_MORE]) userOf(new RequestHeaders(before), names);
    assert.deepEqual(userIn(userOf(new RequestHeaders(lines), names)), alone);
    assert.notDeepEqual(alone, userIn(userOf(new RequestHeaders(ALICE), names)));
  });
}

test('other names of headers mean other users', () => {
  const userOf = frontProxyUsers();
  const lines = [...ALICE, 'X-Other-User', 'bob'];
  assert.equal(userIn(userOf(new RequestHeaders(lines), names))?.name, 'alice');
  const changed = { ...names, usernameHeaders: ['x-other-user'] };
  assert.equal(userIn(userOf(new RequestHeaders(lines), changed))?.name, 'bob');
  assert.equal(userIn(userOf(new RequestHeaders(lines), names))?.name, 'alice');
});

test('no more are remembered than fit', () => {
  const userOf = frontProxyUsers();
  const first = userIn(userOf(new RequestHeaders(ALICE), names));
  for (let number = 0; number < 1000; number += 1) {
    userOf(new RequestHeaders(['x-remote-user', `user-${number}`]), names);
  }
  assert.notEqual(userIn(userOf(new RequestHeaders(ALICE), names)), first);
  const long = ['x-remote-user', 'x'.repeat(5000)];
  const once = userIn(userOf(new RequestHeaders(long), names));
  assert.deepEqual(userIn(userOf(new RequestHeaders(long), names)), once);
  assert.notEqual(userIn(userOf(new RequestHeaders(long), names)), once);
});

test('nobody stays nobody', () => {
  const userOf = frontProxyUsers();
  for (let times = 0; times < 2; times += 1) {
    assert.deepEqual(userOf(new RequestHeaders(['x-remote-group', 'a']), names), {
      outcome: 'no-opinion',
    });
  }
});
