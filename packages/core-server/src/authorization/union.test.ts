import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Authorizer, Decision } from '@tributary/server';
import { FinalAuthorizerError } from '@tributary/server/delegation';
import { accessOf } from '../../test/permission-rows.ts';
import { person } from '../../test/policy-fixture.ts';
import { privilegedGroups, unionAuthorizer } from './union.ts';

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
const union = (authorizers: readonly Authorizer[]): Authorizer =>
  unionAuthorizer(authorizers.map((authorize, index) => ({ name: NAMES[index] ?? '', authorize })));

const decides =
  (decision: Decision): Authorizer =>
  () =>
    decision;
const decidesLater =
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
const never: Authorizer = () => assert.fail('called after a decision');
const yes: Decision = { allowed: true, reason: 'because' };
const no: Decision = { allowed: false, denied: true, reason: 'never' };
const none = (reason: string): Decision => ({ allowed: false, reason });

const decisions: { name: string; authorizers: Authorizer[]; want: Decision }[] = [
  { name: 'no authorizers', authorizers: [], want: { allowed: false } },
  {
    name: 'the first that allows decides',
    authorizers: [decides({ allowed: false }), decides(yes), never],
    want: yes,
  },
  {
    name: 'the first that denies decides',
    authorizers: [decides(none('a')), decides(no), never],
    want: no,
  },
  {
    name: 'an asynchronous authorizer decides',
    authorizers: [decidesLater(none('a')), decidesLater(no), never],
    want: no,
  },
  {
    name: 'reasons without a decision are joined with their authorizer',
    authorizers: [decides(none('a')), decides({ allowed: false }), decidesLater(none('b'))],
    want: { allowed: false, reason: 'first: a\nthird: b' },
  },
  {
    name: 'an error before an authorizer that allows is ignored',
    authorizers: [fails('x'), failsLater('y'), decides(yes)],
    want: yes,
  },
  {
    name: 'an error before an authorizer that denies is ignored',
    authorizers: [fails('x'), decides(no)],
    want: no,
  },
  {
    name: 'a member of a privileged group is allowed',
    authorizers: [privilegedGroups(), never],
    want: { allowed: true },
  },
  {
    name: 'a user outside of the privileged groups is passed on',
    authorizers: [privilegedGroups(['b']), decides(yes)],
    want: yes,
  },
];
for (const { name, authorizers, want } of decisions) {
  test(name, async () => assert.deepEqual(await union(authorizers)(request), want));
}

const outages: { name: string; authorizers: Authorizer[]; want: string }[] = [
  {
    name: 'an error without a decision is thrown',
    authorizers: [fails('x'), decides(none('a'))],
    want: 'x',
  },
  {
    name: 'several errors are aggregated without repeats',
    authorizers: [fails('x'), failsLater('y'), fails('x')],
    want: '[x, y]',
  },
];
for (const { name, authorizers, want } of outages) {
  test(name, async () => {
    await assert.rejects(async () => union(authorizers)(request), { message: want });
  });
}

test('a FinalAuthorizerError ends the union', async () => {
  const unclear: Authorizer = () => Promise.reject(new FinalAuthorizerError('both'));
  await assert.rejects(async () => union([unclear, never])(request), { message: 'both' });
});

test('synchronous authorizers give a synchronous decision', () => {
  const decision = union([decides(none('a')), fails('x'), decides(yes)])(request);
  assert.deepEqual(decision, yes);
});
