/** CAs are replaced under continuous requests over real TLS, without a failed request. */
import assert from 'node:assert/strict';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createKey, type KeyPair, parseCertificates } from '@tributary/server/pki';
import { manualClock } from '@tributary/storage';
import { eventually, temporaryDirectory } from '../../../../test/harness/index.ts';
import { DAY_MS } from './checks.ts';
import { controlPlanePki } from './control-plane.ts';
import { extensionServerPki, rollExtensionServer, serviceOf } from './extension-server.ts';
import { inspectControlPlane, inspectExtensionServer } from './inspect.ts';
import { controlPlaneInventory } from './inventory.ts';
import { type RollStep, rollAuthorities } from './roll-authorities.ts';
import { watchExpiry } from './watch-expiry.ts';

const wardle = { group: 'wardle.example.com', service: { namespace: 'wardle', name: 'api' } };
const HOST = 'api.wardle.svc';

interface Trust {
  ca: string;
  identity?: KeyPair;
}

async function listen(t: TestContext, options: object): Promise<Server> {
  const server = createServer(options, (_request, response) => response.end('ok'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  return server;
}

/** Each request opens a connection, because an open one would not verify changed trust. */
function get(server: Server, host: string, { ca, identity }: Trust): Promise<number | undefined> {
  const { port } = server.address() as AddressInfo;
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, servername: host, ca, ...identity, agent: false };
    const sent = request(options, (response) => {
      response.resume().on('end', () => resolve(response.statusCode));
    });
    sent.on('error', reject);
    sent.end();
  });
}

/** Sends requests until it is stopped, and returns their number; throws the first failure. */
function sendContinuously(send: () => Promise<unknown>): {
  several(): Promise<void>;
  stop(): Promise<number>;
} {
  let count = 0;
  let isGoing = true;
  let failure: unknown;
  const going = (async () => {
    while (isGoing && failure === undefined) {
      await send().then(
        () => {
          count += 1;
        },
        (error: unknown) => {
          failure = error;
        },
      );
    }
  })();
  return {
    async several() {
      const enough = count + 5;
      await eventually('five more requests', () => count >= enough || failure !== undefined);
      if (failure !== undefined) throw failure;
    },
    async stop() {
      isGoing = false;
      await going;
      if (failure !== undefined) throw failure;
      return count;
    },
  };
}

test('replacing the CA of an extension API server fails no request', async (t) => {
  const directory = await temporaryDirectory(t);
  const nowMs = Date.now();
  const text = (name: string): string => readFileSync(join(directory, name), 'utf8');
  const { caBundle } = await extensionServerPki(directory, wardle, { nowMs });
  const server = await listen(t, { cert: text('tls.crt'), key: text('tls.key') });
  // The caBundle of the APIService.
  const trust = { ca: Buffer.from(caBundle, 'base64').toString() };
  const oldCa = trust.ca;
  const load = sendContinuously(() => get(server, HOST, trust));
  await load.several();

  const bundled = await rollExtensionServer(directory, wardle, { step: 'bundle', nowMs });
  assert.equal(bundled.next, 'leaf');
  await load.several();
  trust.ca = Buffer.from(bundled.caBundle, 'base64').toString();
  assert.equal(parseCertificates(trust.ca).length, 2);
  await load.several();

  const reissued = await rollExtensionServer(directory, wardle, { step: 'leaf', nowMs });
  assert.equal(reissued.next, 'drop');
  await load.several();
  server.setSecureContext({ cert: text('tls.crt'), key: text('tls.key') });
  await load.several();

  const dropped = await rollExtensionServer(directory, wardle, { step: 'drop', nowMs });
  assert.equal(dropped.next, undefined);
  await load.several();
  trust.ca = Buffer.from(dropped.caBundle, 'base64').toString();
  assert.equal(parseCertificates(trust.ca).length, 1);
  await load.several();
  assert.ok((await load.stop()) >= 35);

  await assert.rejects(get(server, HOST, { ca: oldCa }), 'the old CA verifies nothing any more');
  const { certificates } = await inspectExtensionServer(directory, wardle, nowMs);
  assert.deepEqual(
    certificates.flatMap(({ problems }) => problems),
    [],
  );
  assert.deepEqual(await serviceOf(directory), wardle.service);
});

test('replacing all CAs of a control plane fails no request', async (t) => {
  const directory = await temporaryDirectory(t);
  const nowMs = Date.now();
  const read = () => controlPlanePki(directory, { nowMs });
  const contextOf = ({ serving, clientCa }: Awaited<ReturnType<typeof read>>) => ({
    ...serving,
    ca: clientCa,
    requestCert: true,
    rejectUnauthorized: true,
  });
  const first = await read();
  const server = await listen(t, contextOf(first));
  const trust: { ca: string; identity: KeyPair } = { ca: first.servingCa, identity: first.admin };
  const load = sendContinuously(() => get(server, 'kubernetes.default.svc', trust));
  for (const step of ['bundle', 'leaf', 'drop'] as const) {
    await rollAuthorities(directory, controlPlaneInventory({}), { step, nowMs });
    await load.several();
    const pki = await read();
    assert.deepEqual(pki.made, [], 'a start during the roll changes nothing');
    server.setSecureContext(contextOf(pki));
    await load.several();
    trust.ca = pki.servingCa;
    trust.identity = pki.admin;
    await load.several();
  }
  assert.ok((await load.stop()) >= 45);
  const last = await read();
  for (const name of ['clientCa', 'servingCa', 'frontProxyCa'] as const) {
    assert.notEqual(last[name], first[name]);
  }
  await assert.rejects(get(server, 'kubernetes', { ca: last.servingCa, identity: first.admin }));
});

test('a skipped step fails requests', async (t) => {
  const directory = await temporaryDirectory(t);
  const nowMs = Date.now();
  const { serving, servingCa } = await controlPlanePki(directory, { nowMs });
  const server = await listen(t, serving);
  const trust = { ca: servingCa };
  const load = sendContinuously(() => get(server, 'localhost', trust));
  await load.several();
  for (const step of ['bundle', 'leaf'] as const) {
    await rollAuthorities(directory, controlPlaneInventory({}), { step, nowMs });
  }
  server.setSecureContext((await controlPlanePki(directory, { nowMs })).serving);
  await assert.rejects(load.several(), /certificate/);
  await assert.rejects(load.stop());
});

test('a running server applies renewed certificates without a failed request', async (t) => {
  const directory = await temporaryDirectory(t);
  // Certificates that are due by this clock are still valid by the real one, which TLS uses.
  const clock = manualClock(Date.now() - 340 * DAY_MS);
  const first = await controlPlanePki(directory, { nowMs: clock.nowMs() });
  const server = await listen(t, first.serving);
  const load = sendContinuously(() => get(server, 'localhost', { ca: first.servingCa }));
  const renewed = Promise.withResolvers<readonly string[]>();
  const failures: unknown[] = [];
  let refusals = 1; // The number of renewals whose handler fails.
  const watching = watchExpiry({
    directory,
    clock,
    onRenewed({ serving, made }) {
      refusals -= 1;
      if (refusals >= 0) throw new Error('not now');
      server.setSecureContext(serving);
      renewed.resolve(made);
    },
    onFailed: (error) => failures.push(error),
  });
  t.after(() => watching.close());
  const hoursUntil = async (happened: () => boolean): Promise<void> => {
    const look = () => {
      const isSo = happened();
      if (!isSo) clock.advance(3_600_000);
      return isSo;
    };
    await eventually(() => String(happened), look, { everyMs: 20 });
  };
  const startMs = clock.nowMs();
  await hoursUntil(() => clock.nowMs() > startMs + 3 * 3_600_000);
  await load.several();
  assert.deepEqual([failures, refusals], [[], 1], 'nothing is due');
  clock.advance(336 * DAY_MS);
  await hoursUntil(() => failures.length > 0);
  assert.match(String(failures), /not now/, 'a failed handler is called again');
  await hoursUntil(() => refusals < 0);
  assert.equal((await renewed.promise).length, 6);
  await load.several();
  assert.ok((await load.stop()) >= 10);
  watching.close();
  assert.equal(failures.length, 1);
});

/** The files after each step. */
async function steps(t: TestContext, until: readonly RollStep[]): Promise<string> {
  const directory = await temporaryDirectory(t);
  await controlPlanePki(directory, { nowMs: Date.now() });
  for (const step of until) await roll(directory, step);
  return directory;
}

function roll(directory: string, step: RollStep) {
  return rollAuthorities(directory, controlPlaneInventory({}), { step, nowMs: Date.now() });
}

const repeated: { name: string; done: RollStep[]; step: RollStep; next: RollStep | undefined }[] = [
  { name: 'bundle twice', done: ['bundle'], step: 'bundle', next: 'leaf' },
  { name: 'leaf twice', done: ['bundle', 'leaf'], step: 'leaf', next: 'drop' },
  {
    name: 'bundle when the leaves are done',
    done: ['bundle', 'leaf'],
    step: 'bundle',
    next: 'drop',
  },
  { name: 'drop twice', done: ['bundle', 'leaf', 'drop'], step: 'drop', next: undefined },
  { name: 'drop when nothing was rolled', done: [], step: 'drop', next: undefined },
];
for (const { name, done, step, next } of repeated) {
  test(`a repeated step changes nothing: ${name}`, async (t) => {
    assert.deepEqual(await roll(await steps(t, done), step), { changed: [], next });
  });
}

const refused: { name: string; done: RollStep[]; step: RollStep; why: RegExp }[] = [
  { name: 'leaf first', done: [], step: 'leaf', why: /--step bundle comes first/ },
  { name: 'drop after bundle', done: ['bundle'], step: 'drop', why: /--step leaf comes first/ },
  {
    name: 'leaf after the end',
    done: ['bundle', 'leaf', 'drop'],
    step: 'leaf',
    why: /bundle comes first/,
  },
];
for (const { name, done, step, why } of refused) {
  test(`a step out of order is rejected: ${name}`, async (t) => {
    await assert.rejects(roll(await steps(t, done), step), why);
  });
}

/** Killed between two writes of a step: some files are from before, the others from after. */
const cuts: { step: RollStep; done: RollStep[]; order: string[] }[] = [
  {
    step: 'bundle',
    done: [],
    order: ['ca', 'server-ca', 'front-proxy-ca'].flatMap((ca) => [`${ca}-next.key`, `${ca}.crt`]),
  },
  {
    step: 'leaf',
    done: ['bundle'],
    order: [
      ...['apiserver', 'front-proxy-client', 'admin'].flatMap((leaf) => [
        `${leaf}.key`,
        `${leaf}.crt`,
      ]),
      ...['ca.key', 'server-ca.key', 'front-proxy-ca.key'],
    ],
  },
  {
    step: 'drop',
    done: ['bundle', 'leaf'],
    order: ['ca.crt', 'server-ca.crt', 'front-proxy-ca.crt'],
  },
];
for (const { step, done, order } of cuts) {
  test(`after a crash in step ${step} the repeated step completes`, async (t) => {
    const before = await steps(t, done);
    const after = await temporaryDirectory(t);
    cpSync(before, after, { recursive: true });
    assert.deepEqual((await roll(after, step)).changed, order);
    for (let written = 0; written <= order.length; written += 1) {
      const directory = await temporaryDirectory(t);
      cpSync(before, directory, { recursive: true });
      for (const name of order.slice(0, written)) cpSync(join(after, name), join(directory, name));
      // A restart of the server in between replaces mismatching pairs only.
      await controlPlanePki(directory, { nowMs: Date.now() });
      for (const rest of (['bundle', 'leaf', 'drop'] as const).slice(done.length))
        await roll(directory, rest);
      const { certificates } = await inspectControlPlane(directory, Date.now());
      assert.deepEqual(
        certificates.flatMap(({ problems }) => problems),
        [],
        `after ${written} files`,
      );
      assert.equal(certificates.length, 7, 'each CA alone, three leaves, one key');
      assert.deepEqual((await roll(directory, 'drop')).next, undefined);
    }
  });
}

test('a CA without its key cannot be rolled', async (t) => {
  const directory = await steps(t, []);
  rmSync(join(directory, 'ca.key'));
  await assert.rejects(roll(directory, 'bundle'), /ca\.key is not here or not the key of ca\.crt/);
  await assert.rejects(
    roll(await temporaryDirectory(t), 'bundle'),
    /begin with "tributary pki init"/,
  );
});

test('an unreadable next key is created again', async (t) => {
  const directory = await steps(t, []);
  writeFileSync(join(directory, 'ca-next.key'), createKey().slice(0, 50));
  assert.equal((await roll(directory, 'bundle')).next, 'leaf');
});

test('a CA with a lost key is replaced like a rolled one', async (t) => {
  const directory = await steps(t, []);
  writeFileSync(join(directory, 'server-ca.key'), 'lost');
  const { servingCa } = await controlPlanePki(directory, { nowMs: Date.now() });
  assert.equal(parseCertificates(servingCa).length, 2);
  await assert.rejects(roll(directory, 'drop'), /apiserver\.crt is still signed by the old CA/);
  const { changed, next } = await roll(directory, 'leaf');
  assert.deepEqual([changed, next], [['apiserver.key', 'apiserver.crt'], 'drop']);
  assert.deepEqual(await roll(directory, 'drop'), { changed: ['server-ca.crt'], next: undefined });
});
