/** The behaviour of a stand-alone aggregator in front of any cluster, with few permissions there. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile, stat } from 'node:fs/promises';
import type { TestContext } from 'node:test';
import { connect, type TLSSocket } from 'node:tls';
import {
  anyKubectl,
  createAuthority,
  eventually,
  httpsRequest,
  requireProgram,
  take,
} from '../harness/index.ts';
import { clusterContents } from './cluster-contents.ts';
import { startEcho } from './echo-server.ts';
import { type Gateway, must, type Program, startWardle } from './gateway-program.ts';
import { APISERVICES } from './registration-objects.ts';
import {
  createUser,
  isAvailable,
  NAMESPACE,
  registerByName,
  USER,
  untilCondition,
  urlService,
} from './standalone-objects.ts';
import { startStandalone } from './standalone-program.ts';

const WARDLE = 'wardle.example.com';
const FORWARDED = 'stream.example.com';
const OWN = 'own.example.com';
const STRICT = 'strict.example.com';
const FLUNDERS = `/apis/${WARDLE}/v1beta1/namespaces/${NAMESPACE}/flunders`;
const CONFIGMAPS = `/api/v1/namespaces/${NAMESPACE}/configmaps`;
const LEND = 'aggregation.tributary.dev/forward-bearer-token';

export interface StandaloneSuite {
  readonly cluster: Gateway;
  /** In the namespace of the user, beside what the suite makes. */
  readonly configMaps: readonly string[];
}

export async function standaloneSuite(t: TestContext, suite: StandaloneSuite): Promise<void> {
  const { cluster } = suite;
  const user = await createUser(t, cluster, {
    '': ['configmaps', 'serviceaccounts'], // with all verbs: whom the user may act as
    [WARDLE]: ['flunders'],
    [FORWARDED]: ['echoes', 'echoes/exec'],
  });
  const echo = await startEcho(t, {
    groups: [FORWARDED, OWN, STRICT],
    strict: { group: STRICT, authorization: `Bearer ${user.token}` },
  });
  // Servers behind the cluster's own aggregator are forwarded like everything else.
  await registerByName(cluster, FORWARDED, echo);
  const before = await clusterContents(cluster);
  const front = await startStandalone(t, { kubeconfig: user.kubeconfig });
  const authority = createAuthority('serving-ca');
  const wardle = await startWardle(t, cluster, {
    authority,
    flags: [`--requestheader-client-ca-file=${front.frontProxyCaFile}`],
  });
  const wardleAt = { url: wardle.url, ca: authority.cert };

  await t.test(
    'servers are registered by URL, and listed beside what the cluster has',
    async () => {
      for (const version of ['v1alpha1', 'v1beta1']) {
        const registration = urlService({ group: WARDLE, version }, wardleAt);
        await must(front.send('POST', APISERVICES, registration));
      }
      await must(front.send('POST', APISERVICES, urlService({ group: OWN, version: 'v1' }, echo)));
      await untilCondition(front, `v1beta1.${WARDLE}`, isAvailable);
      await untilCondition(front, `v1.${OWN}`, isAvailable);
      const groupsOf = async (program: Program) => {
        const { groups } = (await must(program.send('GET', '/apis'))) as {
          readonly groups: readonly { readonly name: string }[];
        };
        return groups.map(({ name }) => name);
      };
      const own = [WARDLE, OWN];
      const listed = await groupsOf(front);
      assert.deepEqual(listed.filter((name) => own.includes(name)).sort(), [...own].sort());
      const others = (names: readonly string[]) => names.filter((name) => !own.includes(name));
      assert.deepEqual(others(listed), others(await groupsOf(cluster)));
    },
  );

  await t.test('documents of OpenAPI are those of both', async () => {
    const key = `apis/${WARDLE}/v1beta1`;
    const index = await eventually(`${key} is in the index`, async () => {
      const { paths } = (await must(front.send('GET', '/openapi/v3'))) as Index;
      return Object.hasOwn(paths, key) && paths;
    });
    for (const one of ['api/v1', 'apis/rbac.authorization.k8s.io/v1', key]) {
      const entry = index[one];
      assert.ok(entry, `${one} of ${Object.keys(index)}`);
      await must(front.send('GET', entry.serverRelativeURL));
    }
    const wanted = ['/api/v1/namespaces/{namespace}/configmaps', `/apis/${WARDLE}/v1beta1/`];
    await eventually(`${wanted} are in the document`, async () => {
      const { paths } = (await must(front.send('GET', '/openapi/v2'))) as {
        readonly paths: object;
      };
      return wanted.every((path) => Object.hasOwn(paths, path));
    });
  });

  await t.test('the server behind knows the user, and nobody has the token', async () => {
    const metadata = { name: 'mine' };
    const flunder = { apiVersion: `${WARDLE}/v1beta1`, kind: 'Flunder', metadata };
    const created = (await must(front.send('POST', FLUNDERS, flunder))) as {
      readonly metadata: { readonly name: string };
    };
    assert.equal(created.metadata.name, 'mine');
    const elsewhere = await front.send('GET', FLUNDERS.replace(NAMESPACE, 'default'));
    assert.equal(elsewhere.status, 403);
    assert.match(JSON.stringify(elsewhere.body), new RegExp(`User \\\\"${USER}\\\\" cannot list`));
    await front.send('GET', `/apis/${OWN}/v1/namespaces/${NAMESPACE}/echoes/a`);
    const { headers } = echo.received.findLast(({ path }) => path.includes('/echoes/a')) ?? {};
    assert.equal(headers?.['x-remote-user'], USER);
    assert.equal(headers?.authorization, undefined);
  });

  await t.test('a watch of an aggregated resource', () =>
    assertWatched(front, FLUNDERS, {
      apiVersion: `${WARDLE}/v1beta1`,
      kind: 'Flunder',
      metadata: { name: 'watched' },
    }),
  );

  const upgrades = [
    { name: 'to a server registered here', group: OWN, user: USER },
    { name: 'to one that the cluster has behind it', group: FORWARDED, user: USER },
  ];
  for (const { name, group, user: expected } of upgrades) {
    await t.test(`an upgrade ${name}`, async () => {
      const path = `/apis/${group}/v1/namespaces/${NAMESPACE}/echoes/a/exec`;
      const socket = await openUpgrade(front, path);
      const bytes = Buffer.alloc(256 * 1024, 'abcdefg');
      socket.write(bytes);
      assert.ok((await readBytes(socket, bytes.length)).equals(bytes));
      socket.destroy(); // upstream's aggregator knows no end of one direction
      const { headers } = echo.received.findLast((one) => one.path === path) ?? {};
      assert.equal(headers?.['x-remote-user'], expected);
    });
  }

  await t.test(
    'a server that trusts only another front proxy: words, and a token lent',
    async () => {
      const registration = { group: STRICT, version: 'v1' };
      await must(front.send('POST', APISERVICES, urlService(registration, echo)));
      const name = `v1.${STRICT}`;
      const { message } = await untilCondition(front, name, ({ status }) => status === 'False');
      assert.match(message, /does not accept this aggregator as its front proxy, it answered 401/);
      assert.ok(message.includes(front.frontProxyCaFile) && message.includes(LEND), message);
      const path = `/apis/${STRICT}/v1/namespaces/${NAMESPACE}/echoes/b`;
      const refused = await front.send('GET', path);
      assert.equal(refused.status, 503);
      assert.match(JSON.stringify(refused.body), /does not accept this aggregator/);
      const lending = { metadata: { annotations: { [LEND]: 'true' } } };
      await must(
        front.send('PATCH', `${APISERVICES}/${name}`, lending, 'application/merge-patch+json'),
      );
      await untilCondition(front, name, isAvailable);
      assert.equal((await front.send('GET', path)).status, 404); // its own answer
      const { headers } = echo.received.findLast((one) => one.path === path) ?? {};
      assert.equal(headers?.authorization, `Bearer ${user.token}`);
    },
  );

  await t.test('a service that the user may not read is said to be so', async () => {
    const { metadata, spec } = urlService({ group: 'in.example.com', version: 'v1' }, echo) as {
      metadata: { name: string };
      spec: object;
    };
    const bare = { metadata: { name: metadata.name }, spec };
    await must(front.send('POST', APISERVICES, bare));
    const { reason, message } = await untilCondition(front, metadata.name, (condition) =>
      condition.message.includes('forbidden'),
    );
    assert.equal(reason, 'ServiceAccessError');
    assert.match(
      message,
      /^service\/api in "nowhere" cannot be checked due to: (?:services|endpointslices.*) is forbidden/,
    );
    await must(front.send('DELETE', `${APISERVICES}/${metadata.name}`));
  });

  await t.test('nothing was written to the cluster', async () => {
    assert.deepEqual(await clusterContents(cluster), before);
  });

  await t.test('forwarded requests are the user’s own', async () => {
    await assertWatched(front, CONFIGMAPS, { metadata: { name: 'forwarded' }, data: { a: 'b' } });
    for (const { path, method } of [
      { path: '/api/v1/secrets', method: 'GET' },
      { path: '/api/v1/namespaces/default/configmaps', method: 'GET' },
      { path: '/api/v1/namespaces/none', method: 'DELETE' },
    ]) {
      const { status, body } = await front.send(method, path);
      assert.equal(status, 403, path);
      assert.match(JSON.stringify(body), new RegExp(`User \\\\"${USER}\\\\" cannot`));
    }
    const impersonating = await front.ask(CONFIGMAPS, { 'impersonate-user': 'somebody' });
    assert.equal(impersonating.status, 403);
    assert.match(impersonating.body, /cannot impersonate(?::user-info)? resource \\"users\\"/);
  });

  await t.test(
    'whom the user may act as, the user is, for the cluster and for others',
    async () => {
      const other = `system:serviceaccount:${NAMESPACE}:other`;
      const subject = { 'impersonate-user': other };
      await front.ask(`/apis/${OWN}/v1/namespaces/${NAMESPACE}/echoes/c`, subject);
      const { headers } = echo.received.findLast(({ path }) => path.endsWith('/echoes/c')) ?? {};
      assert.equal(headers?.['x-remote-user'], other);
      assert.equal(headers?.['impersonate-user'], undefined);
      const response = await front.ask(CONFIGMAPS, subject);
      assert.equal(response.status, 403);
      assert.match(response.body, new RegExp(`User \\\\"${other}\\\\" cannot list`));
    },
  );

  await t.test('nobody else is anybody', async () => {
    const { ca } = front.credentials;
    const unknownClient = createAuthority('stranger').issue({ commonName: USER, usage: 'client' });
    const others = [
      { name: 'no credential' },
      {
        name: 'the user’s token of the cluster',
        headers: { authorization: `Bearer ${user.token}` },
      },
      { name: 'a certificate of somebody else', cert: unknownClient.cert, key: unknownClient.key },
      { name: 'an administrator of the cluster', ...cluster.credentials, ca },
      { name: 'a front proxy', headers: { 'x-remote-user': USER } },
    ];
    for (const { name, ...credential } of others) {
      for (const path of ['/healthz', '/apis', APISERVICES, CONFIGMAPS, FLUNDERS]) {
        const { status } = await httpsRequest(front.url + path, { ...credential, ca });
        assert.equal(status, 401, `${path} with ${name}`);
      }
    }
    assert.equal((await stat(front.kubeconfig)).mode & 0o777, 0o600);
    assert.equal((await stat(front.dataDir)).mode & 0o077, 0);
    assert.ok(!(await readFile(front.kubeconfig, 'utf8')).includes(user.token));
  });

  await t.test('kubectl sees one cluster', async (k) => {
    const kubectl = await anyKubectl();
    if (kubectl === undefined) return void (await requireProgram(k, 'kubectl'));
    const { kubeconfig } = front;
    const run = async (...args: string[]) => {
      const { code, stdout, stderr } = await kubectl.run(args, { kubeconfig });
      assert.equal(code, 0, stderr);
      return stdout;
    };
    const resources = await run('api-resources', '-o', 'name');
    for (const name of ['configmaps', `flunders.${WARDLE}`, 'apiservices.apiregistration.k8s.io']) {
      assert.ok(resources.split('\n').includes(name), `${name} of ${resources}`);
    }
    const names = [
      ...['forwarded', ...suite.configMaps].sort().map((name) => `configmap/${name}`),
      ...['mine', 'watched'].map((name) => `flunder.${WARDLE}/${name}`),
    ];
    const listed = await run('get', 'configmaps,flunders', '-o', 'name');
    assert.deepEqual(listed.trim().split('\n'), names);
    assert.match(await run('explain', 'flunder.spec'), /reference/i);
    assert.match(await run('auth', 'whoami', '-o', 'yaml'), new RegExp(USER));
  });
}

interface Index {
  readonly paths: Readonly<Record<string, { readonly serverRelativeURL: string }>>;
}

/** A watch that begins now sees what is created then, and its end. */
async function assertWatched(program: Program, path: string, object: object): Promise<void> {
  const listed = (await must(program.send('GET', path))) as {
    readonly metadata: { readonly resourceVersion: string };
  };
  const { resourceVersion } = listed.metadata;
  await using watch = await program.watch(`${path}?watch=1&resourceVersion=${resourceVersion}`);
  await must(program.send('POST', path, object));
  const [event] = (await take(watch.lines[Symbol.asyncIterator](), 1)) as [
    { type: string; object: { metadata: { name: string } } },
  ];
  assert.equal(event.type, 'ADDED');
  assert.deepEqual({ ...object, metadata: { name: event.object.metadata.name } }, object);
}

/** A connection that has left HTTP. */
async function openUpgrade({ url, credentials }: Program, path: string): Promise<TLSSocket> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), ...credentials });
  socket.allowHalfOpen = true;
  await once(socket, 'secureConnect');
  socket.write(
    `GET ${path} HTTP/1.1\r\nHost: ${hostname}\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n`,
  );
  let head = '';
  while (!head.includes('\r\n\r\n')) {
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    head += chunk.toString('latin1');
  }
  socket.pause();
  assert.match(head, /^HTTP\/1.1 101 /);
  const rest = head.slice(head.indexOf('\r\n\r\n') + 4);
  if (rest !== '') socket.unshift(Buffer.from(rest, 'latin1'));
  return socket;
}

async function readBytes(socket: TLSSocket, length: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    chunks.push(chunk as Buffer);
    size += (chunk as Buffer).length;
    if (size >= length) break;
  }
  return Buffer.concat(chunks);
}
