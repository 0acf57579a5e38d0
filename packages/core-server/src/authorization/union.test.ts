import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Authorizer, Decision } from '@tributary/server';
import { FinalAuthorizerError } from '@tributary/server/delegation';
import { accessOf } from '../../test/permission-rows.ts';
import { person } from '../../test/policy-fixture.ts';
import { privilegedGroups } from './privileged-groups.ts';
import { unionAuthorizer } from './union.ts';

const info = accessOf({
  user: 'nobody',
  verb: 'get',
  target: 'pods',
  namespace: '',
  name: '',
  want: '',
});
const request = { user: person('u', ['a', 'system:masters']), info };

const NAMES = ['first', 'second', 'third'];
const union = (ask: readonly Authorizer[]): Authorizer =>
  unionAuthorizer(ask.map((authorize, index) => ({ name: NAMES[index] ?? '', authorize })));

const says =
  (decision: Decision): Authorizer =>
  () =>
    decision;
const saysLater =
  (decision: Decision): Authorizer =>
  async () =>
    decision;
const fails =
  (text: string): Authorizer =>
  () => {
    throw new Error(text);
  };
const failsLater =
  (text: string): Authorizer =>
  () =>
    Promise.reject(new Error(text));
const never: Authorizer = () => assert.fail('asked although somebody had decided');
const yes: Decision = { allowed: true, reason: 'because' };
const no: Decision = { allowed: false, denied: true, reason: 'never' };
const none = (reason: string): Decision => ({ allowed: false, reason });

const decisions: { name: string; ask: Authorizer[]; want: Decision }[] = [
  { name: 'nobody is asked', ask: [], want: { allowed: false } },
  { name: 'the first who allows', ask: [says({ allowed: false }), says(yes), never], want: yes },
  { name: 'the first who forbids', ask: [says(none('a')), says(no), never], want: no },
  { name: 'later ones decide', ask: [saysLater(none('a')), saysLater(no), never], want: no },
  {
    name: 'reasons of those who did not decide, each in a line',
    ask: [says(none('a')), says({ allowed: false }), saysLater(none('b'))],
    want: { allowed: false, reason: 'first: a\nthird: b' },
  },
  {
    name: 'an outage before an allowance',
    ask: [fails('x'), failsLater('y'), says(yes)],
    want: yes,
  },
  { name: 'an outage before a refusal', ask: [fails('x'), says(no)], want: no },
  { name: 'a privileged group', ask: [privilegedGroups(), never], want: { allowed: true } },
  { name: 'another privileged group', ask: [privilegedGroups(['b']), says(yes)], want: yes },
];
for (const { name, ask, want } of decisions) {
  test(name, async () => assert.deepEqual(await union(ask)(request), want));
}

const outages: { name: string; ask: Authorizer[]; want: string }[] = [
  { name: 'an outage, and nobody decides', ask: [fails('x'), says(none('a'))], want: 'x' },
  {
    name: 'several outages, equal ones once',
    ask: [fails('x'), failsLater('y'), fails('x')],
    want: '[x, y]',
  },
];
for (const { name, ask, want } of outages) {
  test(name, async () => {
    await assert.rejects(async () => union(ask)(request), { message: want });
  });
}

test('an unclear refusal ends it', async () => {
  const unclear: Authorizer = () => Promise.reject(new FinalAuthorizerError('both'));
  await assert.rejects(async () => union([unclear, never])(request), { message: 'both' });
});

test('without promises there is no promise', () => {
  const decision = union([says(none('a')), fails('x'), says(yes)])(request);
  assert.deepEqual(decision, yes);
});
