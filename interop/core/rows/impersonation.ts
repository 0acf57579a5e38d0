/** The permission to impersonate, and the resulting user. */
import type { JsonObject } from '../../differential/json.ts';
import type { RequestStep, RowGroup } from '../../differential/row.ts';
import { ConfigMap, Secret, SelfSubjectReview } from '../kinds.ts';
import { ALICE, granted, grantedEve, rule } from './policy.ts';
import { collection, feature, type More, post } from './words.ts';

const row = feature('impersonation');
type Headers = NonNullable<RequestStep['headers']>;

function whoami(headers: Headers, more: More = {}): RequestStep {
  const body = { apiVersion: SelfSubjectReview.apiVersion, kind: SelfSubjectReview.kind };
  return post(SelfSubjectReview, body, { name: 'whoami', headers, ...more });
}

const USER = { 'impersonate-user': '{ns}-other' };
const AUTHENTICATION = 'authentication.k8s.io';
const alice: More = { as: 'alice' };
/** Never impersonates: the original caches for a while how a user may. */
const bob: More = { as: 'bob' };
const may = (...rules: JsonObject[]): RequestStep[] => grantedEve(rules, ALICE, alice);
const users = rule(['users'], ['impersonate'], { resourceNames: ['{ns}-other'] });
const groups = rule(['groups'], ['impersonate'], { resourceNames: ['{ns}-group'] });
const extras = (key: string): JsonObject =>
  rule([`userextras/${key}`], ['impersonate'], {
    apiGroups: [AUTHENTICATION],
    resourceNames: ['{ns}-x'],
  });
const uids = rule(['uids'], ['impersonate'], {
  apiGroups: [AUTHENTICATION],
  resourceNames: ['{ns}-uid'],
});

export const impersonation: RowGroup = {
  name: 'impersonation',
  rows: [
    row('a user', whoami(USER)),
    row(
      'a user with everything',
      whoami({
        ...USER,
        'impersonate-uid': 'u-1',
        'impersonate-group': ['one', 'two,three'],
        'impersonate-extra-scopes': ['a', 'b'],
        'impersonate-extra-example.org%2fkey': 'c',
      }),
    ),
    row('a service account', whoami({ 'impersonate-user': 'system:serviceaccount:{ns}:a' })),
    row(
      'a service account with a group',
      whoami({ 'impersonate-user': 'system:serviceaccount:{ns}:a', 'impersonate-group': 'one' }),
    ),
    row('nobody', whoami({ 'impersonate-user': 'system:anonymous' })),
    row('nobody, who may not list', {
      name: 'list',
      path: collection(ConfigMap),
      headers: { 'impersonate-user': 'system:anonymous' },
    }),
    row('a master', {
      name: 'list',
      path: collection(ConfigMap),
      query: { labelSelector: 'row={ns}' },
      headers: { ...USER, 'impersonate-group': 'system:masters' },
    }),
    row(
      'a node',
      whoami({ 'impersonate-user': 'system:node:n1', 'impersonate-group': 'system:nodes' }),
    ),
    row(
      'unauthenticated by group',
      whoami({ ...USER, 'impersonate-group': 'system:unauthenticated' }),
    ),
    row('a group without a user', whoami({ 'impersonate-group': 'one' })),
    row('a uid without a user', whoami({ 'impersonate-uid': 'u' })),
    row('an extra without a user', whoami({ 'impersonate-extra-scopes': 'a' })),
    row('an empty user', whoami({ 'impersonate-user': '' })),
    row('a user and an empty group', whoami({ ...USER, 'impersonate-group': '' })),
    row('an unknown header', whoami({ ...USER, 'impersonate-colour': 'red' })),
    row('bob may not', whoami(USER, bob)),
    row('bob may not, a group', whoami({ ...USER, 'impersonate-group': 'one' }, bob)),
    row(
      'bob may not, a service account',
      whoami({ 'impersonate-user': 'system:serviceaccount:{ns}:a' }, bob),
    ),
    row('bob may not, a master', whoami({ ...USER, 'impersonate-group': 'system:masters' }, bob)),
    row('nobody may not', whoami(USER, { as: 'nobody' })),
    row('a bad token is asked first', whoami(USER, { as: 'bad-token' })),
    row(
      'alice may',
      ...may(users),
      whoami(USER, alice),
      whoami({ 'impersonate-user': '{ns}-third' }, { ...alice, name: 'another' }),
    ),
    row(
      'alice may not the group',
      ...may(users, groups),
      whoami({ ...USER, 'impersonate-group': '{ns}-group' }, { ...alice, name: 'allowed' }),
      whoami({ ...USER, 'impersonate-group': ['{ns}-group', 'other'] }, alice),
    ),
    row(
      'alice may not the uid',
      ...may(users, uids),
      whoami({ ...USER, 'impersonate-uid': '{ns}-uid' }, { ...alice, name: 'allowed' }),
      whoami({ ...USER, 'impersonate-uid': 'other' }, alice),
    ),
    row(
      'alice may not the extra',
      ...may(users, extras('scopes')),
      whoami({ ...USER, 'impersonate-extra-scopes': '{ns}-x' }, { ...alice, name: 'allowed' }),
      whoami({ ...USER, 'impersonate-extra-scopes': 'y' }, alice),
      whoami({ ...USER, 'impersonate-extra-other': '{ns}-x' }, { ...alice, name: 'other' }),
    ),
    row(
      'alice may a service account',
      ...granted(ALICE, [rule(['serviceaccounts'], ['impersonate'])]),
      whoami({ 'impersonate-user': 'system:serviceaccount:{ns}:a' }, alice),
      whoami(
        { 'impersonate-user': 'system:serviceaccount:default:a' },
        { ...alice, name: 'elsewhere' },
      ),
    ),
    row('what the other may', ...may(users), {
      name: 'list',
      path: collection(ConfigMap),
      headers: USER,
      ...alice,
    }),
    row(
      'constrained to a user and a verb',
      ...may(
        rule(['users'], ['impersonate:user-info'], {
          apiGroups: [AUTHENTICATION],
          resourceNames: ['{ns}-other'],
        }),
        rule(['configmaps'], ['impersonate-on:user-info:list']),
      ),
      { name: 'list', path: collection(ConfigMap), headers: USER, ...alice },
      { name: 'get', path: `${collection(ConfigMap)}/a`, headers: USER, ...alice },
    ),
    row(
      'constrained but not on this',
      ...may(
        rule(['users'], ['impersonate:user-info'], {
          apiGroups: [AUTHENTICATION],
          resourceNames: ['{ns}-other'],
        }),
      ),
      { name: 'list', path: collection(Secret), headers: USER, ...alice },
    ),
  ],
};
