import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { requestFor } from '../../test/request-fixture.ts';
import { type AuditEvent, AuditRecord } from '../operations/audit/record.ts';
import { requestTexts } from '../operations/audit/request-texts.ts';
import type { AccessRequest, Decision } from '../request/authorizer.ts';
import type { ApiRequest, ApiResponse, UserInfo } from '../request/pipeline.ts';
import { newContext } from '../request/request-context.ts';
import { withImpersonation } from './impersonation.ts';

const PODS = '/api/v1/namespaces/ns/pods';

function user(name: string, more: Partial<UserInfo> = {}): UserInfo {
  return { name, uid: '', groups: [], extra: {}, ...more };
}

/** A permission as text: verb, group/resource/subresource, namespace and name. */
function question({ info }: AccessRequest): string {
  if (!info.isResourceRequest) return `${info.verb} ${info.path}`;
  const resource = info.subresource ? `${info.resource}/${info.subresource}` : info.resource;
  const place = info.namespace === '' ? '' : ` in ${info.namespace}`;
  return `${info.verb} ${info.group}:${resource}${place} ${info.name}`.trim();
}

interface Setting {
  readonly allowed?: readonly string[] | ((access: AccessRequest) => Decision);
  readonly nowMs?: () => number;
}

function start({ allowed = [], nowMs = () => 0 }: Setting = {}) {
  const questions: string[] = [];
  const asked: AccessRequest[] = [];
  const attempts: string[] = [];
  const filter = withImpersonation({
    authorize(access) {
      asked.push(access);
      questions.push(question(access));
      if (typeof allowed === 'function') return allowed(access);
      return { allowed: allowed.includes(question(access)) };
    },
    nowMs,
    observe: ({ mode, decision }) => attempts.push(`${mode} ${decision}`),
  });
  let reached: ApiRequest | undefined;
  const handler = filter((request) => {
    reached = request;
    return { kind: 'object', code: 200, object: {} };
  });
  const send = async (
    headerLines: readonly string[],
    more: { by?: UserInfo; path?: string } = {},
  ): Promise<{ response: ApiResponse; reached: ApiRequest | undefined }> => {
    reached = undefined;
    const by = more.by ?? user('boss');
    const request = requestFor(more.path ?? PODS, { headerLines, user: by });
    const response = await handler(request);
    return { response, reached };
  };
  return { send, questions, asked, attempts, handler };
}

function message(response: ApiResponse): string {
  assert.ok(response.kind === 'object');
  return (response.object as { message: string }).message;
}

describe('legacy impersonation', () => {
  const everything = () => (access: AccessRequest) =>
    ({ allowed: access.info.verb === 'impersonate' }) as Decision;
  const cases = [
    {
      name: 'a user',
      headers: ['Impersonate-User', 'bob'],
      want: user('bob', { groups: ['system:authenticated'] }),
      asks: ['impersonate :users bob'],
    },
    {
      name: 'in other letters, the first line of several',
      headers: ['IMPERSONATE-user', 'bob', 'impersonate-USER', 'system:admin'],
      want: user('bob', { groups: ['system:authenticated'] }),
      asks: ['impersonate :users bob'],
    },
    {
      name: 'groups, one a line, also with commas',
      headers: [
        ...['Impersonate-User', 'bob'],
        ...['Impersonate-Group', 'a, b'],
        ...['impersonate-group', 'c'],
      ],
      want: user('bob', { groups: ['a, b', 'c', 'system:authenticated'] }),
      asks: ['impersonate :users bob', 'impersonate :groups a, b', 'impersonate :groups c'],
    },
    {
      name: 'a group that says it already',
      headers: ['Impersonate-User', 'bob', 'Impersonate-Group', 'system:authenticated'],
      want: user('bob', { groups: ['system:authenticated'] }),
      asks: ['impersonate :users bob', 'impersonate :groups system:authenticated'],
    },
    {
      name: 'a group that says the contrary',
      headers: ['Impersonate-User', 'bob', 'Impersonate-Group', 'system:unauthenticated'],
      want: user('bob', { groups: ['system:unauthenticated'] }),
      asks: ['impersonate :users bob', 'impersonate :groups system:unauthenticated'],
    },
    {
      name: 'the most powerful group',
      headers: ['Impersonate-User', 'bob', 'Impersonate-Group', 'system:masters'],
      want: user('bob', { groups: ['system:masters', 'system:authenticated'] }),
      asks: ['impersonate :users bob', 'impersonate :groups system:masters'],
    },
    {
      name: 'anonymous',
      headers: ['Impersonate-User', 'system:anonymous'],
      want: user('system:anonymous', { groups: ['system:unauthenticated'] }),
      asks: ['impersonate :users system:anonymous'],
    },
    {
      name: 'anonymous in a group of the known',
      headers: [
        'Impersonate-User',
        'system:anonymous',
        'Impersonate-Group',
        'system:authenticated',
      ],
      want: user('system:anonymous', {
        groups: ['system:authenticated', 'system:unauthenticated'],
      }),
      asks: ['impersonate :users system:anonymous', 'impersonate :groups system:authenticated'],
    },
    {
      name: 'a service account has its groups',
      headers: ['Impersonate-User', 'system:serviceaccount:ns1:bot'],
      want: user('system:serviceaccount:ns1:bot', {
        groups: ['system:serviceaccounts', 'system:serviceaccounts:ns1', 'system:authenticated'],
      }),
      asks: ['impersonate :serviceaccounts in ns1 bot'],
    },
    {
      name: 'a service account in given groups has only those',
      headers: ['Impersonate-User', 'system:serviceaccount:ns1:bot', 'Impersonate-Group', 'a'],
      want: user('system:serviceaccount:ns1:bot', { groups: ['a', 'system:authenticated'] }),
      asks: ['impersonate :serviceaccounts in ns1 bot', 'impersonate :groups a'],
    },
    {
      name: 'what only looks like a service account is a user',
      headers: ['Impersonate-User', 'system:serviceaccount:ns1:bot:x'],
      want: user('system:serviceaccount:ns1:bot:x', { groups: ['system:authenticated'] }),
      asks: ['impersonate :users system:serviceaccount:ns1:bot:x'],
    },
    {
      name: 'a node is a user',
      headers: ['Impersonate-User', 'system:node:n1'],
      want: user('system:node:n1', { groups: ['system:authenticated'] }),
      asks: ['impersonate :users system:node:n1'],
    },
    {
      name: 'uid and extra',
      headers: [
        ...['Impersonate-User', 'bob'],
        ...['Impersonate-Uid', 'u1'],
        ...['Impersonate-Extra-Acme.io%2FScope', 'One'],
        ...['impersonate-extra-acme.io%2fscope', 'two'],
        ...['Impersonate-Extra-Bad%zz', ''],
      ],
      want: user('bob', {
        uid: 'u1',
        groups: ['system:authenticated'],
        extra: { 'acme.io/scope': ['One', 'two'], 'bad%zz': [''] },
      }),
      asks: [
        'impersonate :users bob',
        'impersonate authentication.k8s.io:uids u1',
        'impersonate authentication.k8s.io:userextras/acme.io/scope One',
        'impersonate authentication.k8s.io:userextras/acme.io/scope two',
        'impersonate authentication.k8s.io:userextras/bad%zz',
      ],
    },
    {
      name: 'a name beyond ASCII',
      headers: ['Impersonate-User', Buffer.from('jürgen').toString('latin1')],
      want: user('jürgen', { groups: ['system:authenticated'] }),
      asks: ['impersonate :users jürgen'],
    },
  ];
  for (const { name, headers, want, asks } of cases) {
    test(name, async () => {
      const { send, questions } = start({ allowed: everything() });
      const { reached } = await send([...headers, 'X-Kept', 'yes']);
      assert.deepEqual(JSON.parse(JSON.stringify(reached?.user)), want);
      const legacy = questions.filter((one) => one.startsWith('impersonate '));
      assert.deepEqual(legacy, asks);
      assert.deepEqual([...(reached?.headers.entries() ?? [])], [['x-kept', 'yes']]);
    });
  }

  for (const denied of [
    'impersonate :users bob',
    'impersonate authentication.k8s.io:uids u1',
    'impersonate :groups g2',
    'impersonate authentication.k8s.io:userextras/k v2',
  ]) {
    test(`one part that is refused refuses all: ${denied}`, async () => {
      const { send } = start({
        allowed: (access) => ({
          allowed: access.info.verb === 'impersonate' && question(access) !== denied,
        }),
      });
      const { response, reached } = await send([
        ...['Impersonate-User', 'bob', 'Impersonate-Uid', 'u1'],
        ...['Impersonate-Group', 'g1', 'Impersonate-Group', 'g2'],
        ...['Impersonate-Extra-k', 'v1', 'Impersonate-Extra-k', 'v2'],
      ]);
      assert.equal(reached, undefined);
      assert.ok(response.kind === 'object' && response.code === 403);
    });
  }
});

describe('parts of a user without a name', () => {
  const cases = [
    {
      headers: ['Impersonate-Group', 'a"b', 'Impersonate-Group', 'c'],
      want: '&user.DefaultInfo{Name:"", UID:"", Groups:[]string{"a\\"b", "c"}, Extra:map[string][]string(nil)}',
    },
    {
      headers: ['Impersonate-Uid', 'u', 'Impersonate-User', ''],
      want: '&user.DefaultInfo{Name:"", UID:"u", Groups:[]string(nil), Extra:map[string][]string(nil)}',
    },
    {
      headers: ['Impersonate-Extra-Z', 'v', 'Impersonate-Extra-a', '', 'impersonate-extra-z', 'w'],
      want: '&user.DefaultInfo{Name:"", UID:"", Groups:[]string(nil), Extra:map[string][]string{"a":[]string{""}, "z":[]string{"v", "w"}}}',
    },
  ];
  for (const { headers, want } of cases) {
    test(headers.join(' '), async () => {
      const { send, questions } = start();
      const { response, reached } = await send(headers);
      assert.ok(response.kind === 'object' && response.code === 400);
      assert.equal(message(response), `requested ${want} without impersonating a user name`);
      assert.deepEqual(response.headers, [['X-Content-Type-Options', 'nosniff']]);
      assert.equal(reached, undefined);
      assert.deepEqual(questions, []);
    });
  }

  test('an empty name alone is nothing', async () => {
    const { send } = start();
    const { reached } = await send(['Impersonate-User', '']);
    assert.equal(reached?.user.name, 'boss');
    assert.equal(reached?.headers.get('impersonate-user'), undefined);
  });

  test('without such headers nothing is asked, and no promise is made', () => {
    const { handler, questions } = start();
    const request = requestFor(PODS, { headerLines: ['Impersonate', 'x', 'Impersonate-X', 'y'] });
    const response = handler(request);
    assert.ok(!(response instanceof Promise));
    assert.equal(request.headers.get('impersonate-x'), 'y');
    assert.deepEqual(questions, []);
  });
});

describe('constrained impersonation', () => {
  const account = user('system:serviceaccount:ns:agent', {
    extra: {
      'authentication.kubernetes.io/node-name': ['n1'],
      'authentication.kubernetes.io/pod-name': ['p'],
    },
  });
  const GROUP = 'authentication.k8s.io';
  const cases = [
    {
      name: 'a user',
      headers: ['Impersonate-User', 'bob'],
      allowed: [
        'impersonate-on:user-info:list :pods in ns',
        `impersonate:user-info ${GROUP}:users bob`,
      ],
      want: user('bob', { groups: ['system:authenticated'] }),
      mode: 'user-info',
    },
    {
      name: 'a user for a path',
      headers: ['Impersonate-User', 'bob'],
      path: '/healthz',
      allowed: [
        'impersonate-on:user-info:get /healthz',
        `impersonate:user-info ${GROUP}:users bob`,
      ],
      want: user('bob', { groups: ['system:authenticated'] }),
      mode: 'user-info',
    },
    {
      name: 'many groups at once',
      headers: [
        'Impersonate-User',
        'bob',
        ...['a', 'b', 'c', 'd'].flatMap((g) => ['Impersonate-Group', g]),
      ],
      allowed: [
        'impersonate-on:user-info:list :pods in ns',
        `impersonate:user-info ${GROUP}:users bob`,
        `impersonate:user-info ${GROUP}:groups *`,
      ],
      want: user('bob', { groups: ['a', 'b', 'c', 'd', 'system:authenticated'] }),
      mode: 'user-info',
    },
    {
      name: 'many extras at once',
      headers: [
        ...['Impersonate-User', 'bob'],
        ...['1', '2', '3', '4'].flatMap((value) => ['Impersonate-Extra-acme.io%2Fx', value]),
      ],
      allowed: [
        'impersonate-on:user-info:list :pods in ns',
        `impersonate:user-info ${GROUP}:users bob`,
        `impersonate:user-info ${GROUP}:userextras/* *`,
      ],
      want: user('bob', {
        groups: ['system:authenticated'],
        extra: { 'acme.io/x': ['1', '2', '3', '4'] },
      }),
      mode: 'user-info',
    },
    {
      name: 'a service account',
      headers: ['Impersonate-User', 'system:serviceaccount:ns1:bot'],
      allowed: [
        'impersonate-on:serviceaccount:list :pods in ns',
        `impersonate:serviceaccount ${GROUP}:serviceaccounts in ns1 bot`,
      ],
      want: user('system:serviceaccount:ns1:bot', {
        groups: ['system:serviceaccounts', 'system:serviceaccounts:ns1', 'system:authenticated'],
      }),
      mode: 'serviceaccount',
    },
    {
      name: 'any node',
      headers: ['Impersonate-User', 'system:node:n9'],
      allowed: [
        'impersonate-on:arbitrary-node:list :pods in ns',
        `impersonate:arbitrary-node ${GROUP}:nodes n9`,
      ],
      want: user('system:node:n9', { groups: ['system:nodes', 'system:authenticated'] }),
      mode: 'arbitrary-node',
    },
    {
      name: 'the own node',
      by: account,
      headers: ['Impersonate-User', 'system:node:n1'],
      allowed: [
        'impersonate-on:associated-node:list :pods in ns',
        `impersonate:associated-node ${GROUP}:nodes *`,
      ],
      want: user('system:node:n1', { groups: ['system:nodes', 'system:authenticated'] }),
      mode: 'associated-node',
    },
  ];
  for (const { name, headers, allowed, want, mode, ...more } of cases) {
    test(name, async () => {
      const { send, questions, attempts } = start({ allowed });
      const { reached } = await send(headers, more);
      assert.deepEqual(JSON.parse(JSON.stringify(reached?.user)), want);
      assert.deepEqual(questions, allowed, 'and nothing else is asked');
      assert.deepEqual(attempts, [`${mode} allowed`]);
    });
    for (const missing of allowed) {
      test(`${name}, but not allowed to ${missing}`, async () => {
        const { send, attempts } = start({ allowed: allowed.filter((one) => one !== missing) });
        const { response, reached } = await send(headers, more);
        assert.equal(reached, undefined);
        assert.ok(response.kind === 'object' && response.code === 403);
        assert.deepEqual(attempts, [' denied']);
      });
    }
  }

  const refused = [
    {
      name: 'the first refusal is told',
      headers: ['Impersonate-User', 'bob'],
      allowed: [],
      want: 'pods is forbidden: User "boss" cannot impersonate-on:user-info:list resource "pods" in API group "" in the namespace "ns"',
    },
    {
      name: 'the identity',
      headers: ['Impersonate-User', 'bob'],
      allowed: ['impersonate-on:user-info:list :pods in ns'],
      want: 'users.authentication.k8s.io "bob" is forbidden: User "boss" cannot impersonate:user-info resource "users" in API group "authentication.k8s.io" at the cluster scope',
    },
    {
      name: 'the most powerful group',
      headers: ['Impersonate-User', 'bob', 'Impersonate-Group', 'system:masters'],
      allowed: undefined,
      want: 'groups.authentication.k8s.io "system:masters" is forbidden: User "boss" cannot impersonate:user-info resource "groups" in API group "authentication.k8s.io" at the cluster scope: impersonating the system:masters group is not allowed',
    },
    {
      name: 'a group without a name',
      headers: ['Impersonate-User', 'bob', 'Impersonate-Group', ''],
      allowed: undefined,
      want: 'groups.authentication.k8s.io is forbidden: User "boss" cannot impersonate:user-info resource "groups" in API group "authentication.k8s.io" at the cluster scope: impersonating the empty string group is not allowed',
    },
    {
      name: 'a key of nobody',
      headers: ['Impersonate-User', 'bob', 'Impersonate-Extra-scope', 'x'],
      allowed: undefined,
      want: 'userextras.authentication.k8s.io is forbidden: User "boss" cannot impersonate:user-info resource "userextras" in API group "authentication.k8s.io" at the cluster scope: impersonating an invalid key in extra is not allowed: extra.key: Invalid value: "scope": must be a domain-prefixed path (such as "acme.io/foo")',
    },
    {
      name: 'an empty value',
      headers: ['Impersonate-User', 'bob', 'Impersonate-Extra-acme.io%2Fx', ''],
      allowed: undefined,
      want: 'userextras.authentication.k8s.io is forbidden: User "boss" cannot impersonate:user-info resource "userextras" in API group "authentication.k8s.io" at the cluster scope: impersonating the empty string value in extra is not allowed',
    },
    {
      name: 'signs of a page are harmless',
      headers: ['Impersonate-User', '<b>'],
      allowed: undefined,
      path: '/<x>',
      isOutage: true,
      want: 'forbidden: User "boss" cannot impersonate-on:user-info:get path "/&lt;x&gt;": the roles are gone',
    },
    {
      name: 'a node that is not the own one',
      by: account,
      headers: ['Impersonate-User', 'system:node:n2'],
      allowed: [],
      want: 'pods is forbidden: User "system:serviceaccount:ns:agent" cannot impersonate-on:arbitrary-node:list resource "pods" in API group "" in the namespace "ns"',
    },
    {
      name: 'a node in groups, which no mode for nodes takes',
      headers: ['Impersonate-User', 'system:node:n2', 'Impersonate-Group', 'g'],
      allowed: [],
      want: 'users "system:node:n2" is forbidden: User "boss" cannot impersonate resource "users" in API group "" at the cluster scope',
    },
  ];
  for (const { name, headers, allowed, want, isOutage, ...more } of refused) {
    test(`403: ${name}`, async () => {
      const { send } = start({
        allowed: (access) => {
          if (isOutage) throw new Error('the roles are gone');
          if (allowed === undefined) return { allowed: access.info.verb !== 'impersonate' };
          return { allowed: (allowed as string[]).includes(question(access)) };
        },
      });
      const { response } = await send(headers, more);
      assert.equal(message(response), want);
      assert.deepEqual(response.headers, [['X-Content-Type-Options', 'nosniff']]);
    });
  }

  test('an account asks for its node without what differs between nodes', async () => {
    const { send, asked } = start({ allowed: () => ({ allowed: true }) });
    await send(['Impersonate-User', 'system:node:n1'], { by: account });
    for (const { user: asking } of asked) {
      assert.deepEqual(asking.extra, {
        'authentication.kubernetes.io/associated-node-keys': [
          'authentication.kubernetes.io/node-name',
          'authentication.kubernetes.io/pod-name',
        ],
      });
    }
    const other = {
      ...account,
      extra: { ...account.extra, 'authentication.kubernetes.io/node-name': ['n2'] },
    };
    const before = asked.length;
    const { reached } = await send(['Impersonate-User', 'system:node:n2'], { by: other });
    assert.equal(reached?.user.name, 'system:node:n2');
    assert.equal(asked.length, before, 'one answer counts for all nodes');
  });
});

describe('what was allowed', () => {
  test('counts for ten seconds, for the same request by the same user', async () => {
    let nowMs = 0;
    const { send, questions } = start({ allowed: () => ({ allowed: true }), nowMs: () => nowMs });
    const ask = async (more: { by?: UserInfo; path?: string } = {}, headers: string[] = []) => {
      questions.length = 0;
      await send(['Impersonate-User', 'bob', ...headers], more);
      return questions.length;
    };
    assert.equal(await ask(), 2);
    assert.equal(await ask(), 0, 'the same again');
    assert.equal(await ask({ path: `${PODS}/x` }), 1, 'only what is done differs');
    assert.equal(await ask({ by: user('boss', { groups: ['g'] }) }), 2, 'another by its groups');
    assert.equal(await ask({}, ['Impersonate-Group', 'g']), 3, 'another wanted user');
    nowMs = 9_999;
    assert.equal(await ask(), 0);
    nowMs = 10_000;
    assert.equal(await ask(), 2);
  });

  test('by the oldest mode is asked for each time, first of all', async () => {
    const { send, questions } = start({ allowed: ['impersonate :users bob'] });
    await send(['Impersonate-User', 'bob']);
    assert.deepEqual(questions, [
      'impersonate-on:user-info:list :pods in ns',
      'impersonate :users bob',
    ]);
    await send(['Impersonate-User', 'bob']);
    assert.deepEqual(questions.slice(2), ['impersonate :users bob']);
  });

  test('and refused is never kept', async () => {
    const { send, questions } = start();
    await send(['Impersonate-User', 'bob']);
    const { length } = questions;
    await send(['Impersonate-User', 'bob']);
    assert.equal(questions.length, 2 * length);
  });
});

describe('the audit log', () => {
  const cases = [
    {
      name: 'has both users, and the verb that allowed it',
      allowed: [
        'impersonate-on:user-info:list :pods in ns',
        'impersonate:user-info authentication.k8s.io:users bob',
      ],
      metadata: { impersonationConstraint: 'impersonate:user-info' },
    },
    { name: 'has no verb of the oldest mode', allowed: ['impersonate :users bob'] },
  ];
  for (const { name, allowed, metadata } of cases) {
    test(name, async () => {
      const { handler } = start({ allowed });
      const events: AuditEvent[] = [];
      const context = newContext('id', 0);
      const request = requestFor(PODS, {
        headerLines: ['Impersonate-User', 'bob'],
        user: user('boss'),
        context,
      });
      const means = {
        texts: requestTexts(),
        timeText: () => '',
        write: (event: AuditEvent) => events.push(event),
        nowMs: () => 0,
      };
      const record = new AuditRecord(request, means, {
        decision: { level: 'Metadata', omitStages: [], omitManagedFields: false },
        context,
        user: request.user,
      });
      context.audit = record;
      // The first stage is recorded without the impersonated user, which is not known yet.
      record.stage('RequestReceived');
      await handler(request);
      record.stage('ResponseComplete');
      const [first, event] = events.map((one) => JSON.parse(one.record.lineOf(one)));
      assert.equal(first.impersonatedUser, undefined);
      assert.deepEqual(event.user, { username: 'boss' });
      assert.deepEqual(event.impersonatedUser, {
        username: 'bob',
        groups: ['system:authenticated'],
      });
      assert.deepEqual(event.authenticationMetadata, metadata);
    });
  }
});
