import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StatusError } from '@tributary/apimachinery';
import type { FindTargets } from '@tributary/proxy';
import type { Authorizer } from '@tributary/server';
import { requestFor } from '../../../server/test/request-fixture.ts';
import {
  localAt,
  remoteAt,
  testAvailability,
  testRegistrations,
} from '../../test/discovery-fixture.ts';
import {
  SERVERS_PATH,
  type ServersRouteOptions,
  serversRoute,
  withServersPath,
} from './servers-route.ts';

const place = { url: new URL('https://localhost:8443'), ca: 'PEM' };
const alice = { name: 'alice', uid: '', groups: [], extra: {} };

/** Roles that allow a user to list APIServices, or to get paths. */
const mayList: Authorizer = ({ info }) => ({
  allowed:
    info.isResourceRequest &&
    info.verb === 'list' &&
    info.resource === 'apiservices' &&
    info.group === 'apiregistration.k8s.io',
});
const mayGetPaths: Authorizer = ({ info }) => ({ allowed: !info.isResourceRequest });

const found: FindTargets = () => ({
  targets: [
    { host: '10.0.0.2', port: 8443, serverName: 'api.test.svc' },
    { host: 'fd00::1', port: 443, serverName: 'api.test.svc' },
  ],
});
const missing: FindTargets = () => ({
  problem: {
    status: 'False',
    reason: 'ServiceNotFound',
    message: 'service/api in "test" is not present',
  },
});

test('every group version with its servers, its priorities and whom to believe', async () => {
  const { ask, registrations, availability } = site({
    localAddress: () => ({ url: 'https://127.0.0.1:6443', ca: 'OWN' }),
  });
  registrations.put(remoteAt(place, 'b.example.com', 'v1', { versionPriority: 20 }));
  registrations.put(localAt('a.example.com', 'v1'));
  availability.set('v1.b.example.com', 'True');
  assert.deepEqual(await ask(), {
    kind: 'ServerList',
    apiVersion: 'aggregation.tributary.dev/v1',
    metadata: {},
    items: [
      {
        group: 'a.example.com',
        version: 'v1',
        groupPriorityMinimum: 1000,
        versionPriority: 15,
        local: true,
        available: 'True',
        servers: [{ url: 'https://127.0.0.1:6443', tlsServerName: '127.0.0.1' }],
        caBundle: 'OWN',
      },
      {
        group: 'b.example.com',
        version: 'v1',
        groupPriorityMinimum: 1000,
        versionPriority: 20,
        local: false,
        available: 'True',
        reason: 'Test',
        message: 'as the test says',
        servers: [
          { url: 'https://10.0.0.2:8443', tlsServerName: 'api.test.svc' },
          { url: 'https://[fd00::1]:443', tlsServerName: 'api.test.svc' },
        ],
        caBundle: 'PEM',
      },
    ],
  });
});

test('without a server it says why', async () => {
  const { ask, registrations } = site({ findTargets: missing });
  registrations.put(remoteAt(place, 'b.example.com', 'v1'));
  const { items } = (await ask()) as { items: Record<string, unknown>[] };
  assert.deepEqual(items[0]?.servers, []);
  assert.equal(items[0]?.available, 'Unknown');
  assert.equal(items[0]?.reason, 'ServiceNotFound');
});

const decisions = [
  { name: 'who may list APIServices', roles: mayList, passes: true, responses: true },
  {
    name: 'who may get every path, but not list them',
    roles: mayGetPaths,
    passes: false,
    responses: false,
  },
  {
    name: 'nobody else',
    roles: () => ({ allowed: false }) as const,
    passes: false,
    responses: false,
  },
];
for (const { name, roles, passes, responses } of decisions) {
  test(`open to: ${name}`, async () => {
    const request = requestFor(SERVERS_PATH, { user: alice });
    assert.equal((await withServersPath(roles)(request)).allowed, passes);
    const { ask } = site({ authorize: roles });
    if (responses) await ask();
    else {
      await assert.rejects(ask(), (error) => {
        assert.ok(error instanceof StatusError);
        assert.equal(error.code, 403);
        assert.match(error.message, /User "alice" cannot list resource "apiservices"/);
        return true;
      });
    }
  });
}

test('other paths are for the roles, and for other routes', async () => {
  assert.equal((await withServersPath(mayGetPaths)(requestFor('/aggregation'))).allowed, true);
  assert.equal((await withServersPath(mayList)(requestFor('/aggregation'))).allowed, false);
  const { route } = site({});
  assert.equal(await route(requestFor('/aggregation/servers/a')), undefined);
});

test('it is only read', async () => {
  const { route } = site({});
  await assert.rejects(
    async () => route(requestFor(SERVERS_PATH, { method: 'POST', user: alice })),
    (error) => error instanceof StatusError && error.code === 405,
  );
});

function site(options: Partial<ServersRouteOptions>) {
  const registrations = testRegistrations();
  const availability = testAvailability();
  const parts = { registrations, availability, findTargets: found, authorize: mayList };
  const route = serversRoute({ ...parts, ...options });
  const ask = async () => {
    const response = await route(requestFor(SERVERS_PATH, { user: alice }));
    assert.equal(response?.kind, 'object');
    return response.object;
  };
  return { route, ask, registrations, availability };
}
