import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requestFor } from '../../../server/test/request-fixture.ts';
import { isForwardedLongRunning } from './long-running.ts';

const group = '/apis/wardle.example.com/v1alpha1';
const cases = [
  { target: `${group}/flunders?watch=1`, want: true },
  { target: `${group}/watch/flunders`, want: true },
  { target: `${group}/proxy/namespaces/a/flunders/b/c`, want: true },
  { target: `${group}/namespaces/a/flunders/b/exec`, want: true },
  { target: `${group}/namespaces/a/flunders/b/attach`, want: true },
  { target: `${group}/namespaces/a/flunders/b/log`, want: true },
  { target: `${group}/namespaces/a/flunders/b/portforward`, want: true },
  { target: `${group}/namespaces/a/flunders/b/proxy`, want: true },
  { target: `${group}/namespaces/a/flunders/b/status`, want: false },
  { target: `${group}/namespaces/a/flunders/exec`, want: false },
  { target: `${group}/flunders`, want: false },
  { target: group, want: false },
];
for (const { target, want } of cases) {
  test(`${target} ${want ? 'is long-running' : 'has a deadline'}`, () => {
    assert.equal(isForwardedLongRunning(requestFor(target).info), want);
  });
}
