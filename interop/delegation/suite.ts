/** Tests of an extension server of ours behind any core: the original, and our own. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import {
  createScope,
  eventuallySucceeds,
  type RequestOptions,
  type TestScope,
} from '../../test/harness/index.ts';
import {
  asAdmin,
  type DelegationCore,
  grantDelegation,
  grantFlunders,
  revokeFlunders,
  user,
} from './core.ts';
import { type DelegatingWardle, startDelegatingWardle } from './wardle.ts';

const SERVER = 'wardle-server';
const GROUP = '/apis/wardle.example.com/v1alpha1';
/** How soon is measured in test/faults/core-delegation.timing.test.ts. */
const SOON_MS = 60_000;

export function delegationSuite(
  name: string,
  startCore: (scope: TestScope) => Promise<DelegationCore>,
): void {
  suite(`wardle delegates to ${name}`, { concurrency: false }, () => {
    const scope = createScope(`delegation to ${name}`);
    let core: DelegationCore;
    let wardle: DelegatingWardle;
    let alice: RequestOptions;
    const flunders = (namespace: string) => `${GROUP}/namespaces/${namespace}/flunders`;
    const post = (namespace: string, flunder: string, who: RequestOptions) =>
      wardle.ask(flunders(namespace), { method: 'POST', body: flunderOf(flunder), ...who });
    const makeNamespace = (namespace: string, finalizers: readonly string[] = []) =>
      asAdmin(core, 'POST', '/api/v1/namespaces', { metadata: { name: namespace, finalizers } });

    before(async () => {
      core = await startCore(scope);
      alice = { token: core.aliceToken };
      wardle = await startDelegatingWardle(scope, {
        core,
        as: await core.userCertificate(SERVER),
        flags: [
          '--authentication-token-webhook-cache-ttl=500ms',
          '--authorization-webhook-cache-authorized-ttl=500ms',
          '--authorization-webhook-cache-unauthorized-ttl=500ms',
        ],
      });
    });
    after(() => scope.close());

    test('without permissions at the core it lives, and says what is missing', async () => {
      assert.equal((await wardle.ask('/livez')).status, 200);
      const ready = await wardle.ask('/readyz');
      assert.equal(ready.status, 500);
      assert.match(ready.body, /\[-\]authentication-trust failed/);
      assert.match(ready.body, /\[-\]namespaces failed/);
      await wardle.process.waitForLog(/extension-apiserver-authentication-reader must be bound/);
      // The core refuses its reviews, so every request is refused.
      assert.equal((await wardle.ask(flunders('default'), alice)).status, 401);
      assert.equal((await wardle.ask(flunders('default'))).status, 500);
    });

    test('with them it is ready, without a restart', async () => {
      await grantDelegation(core, SERVER);
      await within(SOON_MS, async () => {
        assert.equal((await wardle.ask('/readyz')).status, 200);
      });
      await wardle.process.waitForLog(/wardle-apiserver is ready at/);
    });

    test('who shows nothing, or something wrong, is refused', async () => {
      const anonymous = await wardle.ask(flunders('default'));
      assert.equal(anonymous.status, 403);
      assert.match(
        anonymous.body,
        /User \\"system:anonymous\\" cannot list resource \\"flunders\\"/,
      );
      assert.equal((await wardle.ask(flunders('default'), { token: 'wrong' })).status, 401);
      assert.equal((await wardle.ask('/readyz', { token: 'wrong' })).status, 401);
    });

    test('a token is reviewed, and its user has the permissions that the core gave', async () => {
      await makeNamespace('allowed');
      assert.equal((await post('allowed', 'a', alice)).status, 403);
      await grantFlunders(core, { name: 'alice', namespace: 'allowed', subject: user('alice') });
      await within(SOON_MS, async () => {
        assert.equal((await post('allowed', 'a', alice)).status, 201);
      });
      assert.equal((await wardle.ask(flunders('allowed'), alice)).status, 200);
      assert.equal((await wardle.ask(flunders('default'), alice)).status, 403);
      assert.equal((await wardle.ask(`${GROUP}/fischers`, alice)).status, 403);
      const metrics = await wardle.ask('/metrics', core.admin);
      assert.match(metrics.body, /apiserver_delegated_authn_request_total\{code="201"\}/);
      assert.match(metrics.body, /apiserver_delegated_authz_request_total\{code="201"\}/);
    });

    test('certificates of the client CA of the core are believed', async () => {
      assert.equal((await wardle.ask(flunders('default'), core.admin)).status, 200);
      const bob = await core.userCertificate('bob');
      const refused = await wardle.ask(flunders('default'), bob);
      assert.equal(refused.status, 403);
      assert.match(refused.body, /User \\"bob\\"/);
    });

    test('a front proxy says who its users are; nobody else does', async () => {
      const said = { headers: { 'x-remote-user': 'alice', 'x-remote-group': 'dev' } };
      const proxy = await core.proxyCertificate('front-proxy-client');
      assert.equal((await wardle.ask(flunders('allowed'), { ...said, ...proxy })).status, 200);
      const other = await core.proxyCertificate('somebody');
      assert.equal((await wardle.ask(flunders('allowed'), { ...said, ...other })).status, 401);
      const bob = await core.userCertificate('bob');
      const posing = await wardle.ask(flunders('allowed'), { ...said, ...bob });
      assert.equal(posing.status, 403);
      assert.match(posing.body, /User \\"bob\\"/);
      assert.equal((await wardle.ask(flunders('allowed'), said)).status, 403);
    });

    test('nothing is created in a namespace that is missing or goes away', async () => {
      const missing = await post('missing', 'a', core.admin);
      assert.equal(missing.status, 404);
      assert.match(missing.body, /namespaces \\"missing\\" not found/);
      await makeNamespace('leaving', ['example.com/hold']);
      // At once: the local copy may not have it yet.
      assert.equal((await post('leaving', 'before', core.admin)).status, 201);
      await asAdmin(core, 'DELETE', '/api/v1/namespaces/leaving');
      await within(SOON_MS, async () => {
        const refused = await post('leaving', 'after', core.admin);
        assert.equal(refused.status, 403);
        const status = refused.json() as { details: { causes: unknown } };
        assert.deepEqual(status.details.causes, [
          {
            reason: 'NamespaceTerminating',
            message: 'namespace leaving is being terminated',
            field: 'metadata.namespace',
          },
        ]);
      });
      const path = `${flunders('leaving')}/before`;
      const flunder = (await wardle.ask(path, core.admin)).json() as { metadata: object };
      const changed = { ...flunder, metadata: { ...flunder.metadata, labels: { a: 'b' } } };
      const update = await wardle.ask(path, { method: 'PUT', body: changed, ...core.admin });
      assert.equal(update.status, 200);
      assert.equal((await wardle.ask(path, { method: 'DELETE', ...core.admin })).status, 200);
    });

    test('a permission that is taken away ends', async () => {
      assert.equal((await wardle.ask(flunders('allowed'), alice)).status, 200);
      await revokeFlunders(core, { name: 'alice', namespace: 'allowed' });
      await within(SOON_MS, async () => {
        assert.equal((await wardle.ask(flunders('allowed'), alice)).status, 403);
      });
    });

    test('a token of a service account that is deleted ends', async () => {
      const accounts = '/api/v1/namespaces/allowed/serviceaccounts';
      await asAdmin(core, 'POST', accounts, { metadata: { name: 'robot' } });
      const subject = { kind: 'ServiceAccount', name: 'robot', namespace: 'allowed' };
      await grantFlunders(core, { name: 'robot', namespace: 'allowed', subject });
      const issued = await asAdmin(core, 'POST', `${accounts}/robot/token`, {});
      const { status } = issued.json() as { status: { token: string } };
      const robot = { token: status.token };
      await within(SOON_MS, async () => {
        assert.equal((await wardle.ask(flunders('allowed'), robot)).status, 200);
      });
      await asAdmin(core, 'DELETE', `${accounts}/robot`);
      await within(SOON_MS, async () => {
        assert.equal((await wardle.ask(flunders('allowed'), robot)).status, 401);
      });
    });
  });
}

function flunderOf(name: string): object {
  return { apiVersion: 'wardle.example.com/v1alpha1', kind: 'Flunder', metadata: { name } };
}

/** Tries until it holds. */
export async function within(withinMs: number, check: () => Promise<void>): Promise<void> {
  await eventuallySucceeds(check, { withinMs, everyMs: 50 });
}
