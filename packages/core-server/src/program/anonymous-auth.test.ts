import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anonymousAuth } from './anonymous-auth.ts';

const log = { info: () => {} };

for (const { modes, flag, isAnybody } of [
  { modes: ['RBAC'], flag: true, isAnybody: true },
  { modes: ['RBAC'], flag: false, isAnybody: false },
  { modes: ['AlwaysAllow'], flag: true, isAnybody: false },
  { modes: ['RBAC', 'AlwaysAllow'], flag: true, isAnybody: false },
]) {
  test(`who shows nothing with --anonymous-auth=${flag} and ${modes}`, () => {
    const flags = { anonymousAuth: flag, authorizationMode: modes };
    assert.equal(anonymousAuth(flags, undefined, log), isAnybody);
  });
}

test('a file decides before the flags', () => {
  const flags = { anonymousAuth: false, authorizationMode: ['AlwaysAllow'] };
  const allows = anonymousAuth(flags, { enabled: true, paths: ['/healthz'] }, log);
  assert.ok(typeof allows === 'function');
  assert.deepEqual([allows('/healthz'), allows('/version')], [true, false]);
});
