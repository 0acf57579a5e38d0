import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anonymousAuth } from './anonymous-auth.ts';

const log = { info: () => {} };

for (const { modes, flag, want } of [
  { modes: ['RBAC'], flag: true, want: true },
  { modes: ['RBAC'], flag: false, want: false },
  { modes: ['AlwaysAllow'], flag: true, want: false },
  { modes: ['RBAC', 'AlwaysAllow'], flag: true, want: false },
]) {
  test(`anonymous requests with --anonymous-auth=${flag} and ${modes}`, () => {
    const flags = { anonymousAuth: flag, authorizationMode: modes };
    assert.equal(anonymousAuth(flags, undefined, log), want);
  });
}

test('the AuthenticationConfiguration takes precedence over flags', () => {
  const flags = { anonymousAuth: false, authorizationMode: ['AlwaysAllow'] };
  const allows = anonymousAuth(flags, { enabled: true, paths: ['/healthz'] }, log);
  assert.ok(typeof allows === 'function');
  assert.deepEqual([allows('/healthz'), allows('/version')], [true, false]);
});
