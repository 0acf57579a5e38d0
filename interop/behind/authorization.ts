/** The control plane decides authorization, also for direct requests to the extension server. */
import assert from 'node:assert/strict';
import type { RequestOptions, Response } from '../../test/harness/index.ts';
import {
  askBackend,
  askFront,
  flunder,
  flundersPath,
  grant,
  makeNamespace,
  post,
  within,
} from './ask.ts';
import { GROUP, type Site } from './site.ts';

const NAMESPACE = 'rights';
const FLUNDERS = flundersPath(NAMESPACE);
/** Refusals are believed for ten seconds by the extension server, and it is asked before a right is there. */
const GRANTED_MS = 60_000;

export async function asksForRights(site: Site): Promise<void> {
  await makeNamespace(site, NAMESPACE);
  const reader = await site.front.userCertificate({ commonName: 'rita' });
  const nobody = await site.front.userCertificate({ commonName: 'norbert' });
  const verbs = ['get', 'list'];
  const subject = { kind: 'User', name: 'rita' } as const;
  await grant(site, { namespace: NAMESPACE, name: 'rita', verbs, subject });
  await within(GRANTED_MS, () => allowed(askFront(site, FLUNDERS, reader)));
  await decidesAlike(site, { reader, nobody });
  await believesProxiesOnly(site, { reader, nobody });
  await asksAboutTokens(site);
}

interface Users {
  readonly reader: RequestOptions;
  readonly nobody: RequestOptions;
}

/** Through the aggregator and past it, in the same words. */
async function decidesAlike(site: Site, { reader, nobody }: Users): Promise<void> {
  const write: RequestOptions = { method: 'POST', body: flunder('a') };
  const cases = [
    { path: FLUNDERS, options: reader, code: 200 },
    { path: FLUNDERS, options: { ...reader, ...write }, code: 403 },
    { path: flundersPath('default'), options: reader, code: 403 },
    { path: `/apis/${GROUP}/v1alpha1/fischers`, options: reader, code: 403 },
    { path: FLUNDERS, options: nobody, code: 403 },
    { path: FLUNDERS, options: { ...nobody, ...write }, code: 403 },
  ];
  for (const { path, options, code } of cases) {
    const what = `${options.method ?? 'GET'} ${path}`;
    const through = await askFront(site, path, options);
    const past = await askBackend(site, path, options);
    assert.equal(through.status, code, `${what}, through the aggregator: ${through.body}`);
    assert.equal(past.status, code, `${what}, past the aggregator: ${past.body}`);
    if (code === 403) assert.deepEqual(past.json(), through.json(), what);
  }
}

async function believesProxiesOnly(site: Site, { reader, nobody }: Users): Promise<void> {
  const proxy = await site.front.proxyCertificate();
  const as = (name: string, ...groups: string[]): RequestOptions => ({
    headers: { 'X-Remote-User': name, 'X-Remote-Group': groups },
  });
  await allowed(askBackend(site, FLUNDERS, { ...proxy, ...as('rita') }));
  await refused(askBackend(site, FLUNDERS, { ...proxy, ...as('norbert') }), 'norbert');
  await allowed(askBackend(site, FLUNDERS, { ...proxy, ...as('norbert', 'system:masters') }));
  await refused(askBackend(site, FLUNDERS, { ...nobody, ...as('rita') }), 'norbert');
  await refused(askBackend(site, FLUNDERS, as('rita', 'system:masters')), 'system:anonymous');
  await allowed(askBackend(site, FLUNDERS, { ...reader, ...as('norbert') }));
}

async function asksAboutTokens(site: Site): Promise<void> {
  const accounts = `/api/v1/namespaces/${NAMESPACE}/serviceaccounts`;
  await post(site, accounts, { metadata: { name: 'robot' } });
  const issued = await post(site, `${accounts}/robot/token`, { spec: {} });
  const { token } = (issued.json() as { status: { token: string } }).status;
  await refused(askBackend(site, FLUNDERS, { token }), `system:serviceaccount:${NAMESPACE}:robot`);
  assert.equal((await askBackend(site, FLUNDERS, { token: `${token}x` })).status, 401);
}

async function allowed(asked: Promise<Response>): Promise<void> {
  const { status, body } = await asked;
  assert.equal(status, 200, body);
}

async function refused(asked: Promise<Response>, user: string): Promise<void> {
  const response = await asked;
  assert.equal(response.status, 403, response.body);
  const { message } = response.json() as { message: string };
  assert.ok(message.includes(`User "${user}" cannot list resource "flunders"`), message);
}
