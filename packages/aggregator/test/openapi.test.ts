import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, type TestContext, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { StatusError } from '@tributary/apimachinery';
import { systemClock } from '@tributary/client';
import { defineApi, defineResource, version } from '@tributary/server/definition';
import { eventually, VirtualClock } from '../../../test/harness/index.ts';
import { requestFor } from '../../server/test/request-fixture.ts';
import { byteBudget } from '../src/openapi/byte-budget.ts';
import { type DocumentThread, documentThread, JOB_MS_MAX } from '../src/openapi/document-thread.ts';
import { fetchDocument } from '../src/openapi/fetch-document.ts';
import { MERGE_AFTER_MS } from '../src/openapi/merged-v2.ts';
import { ASK_EVERY_MS, FIRST_ASK_MS, RETRY_MS_MIN } from '../src/openapi/poll-server.ts';
import { directBackends } from './direct-backends.ts';
import { type Behaviour, localAt, lyingServer, remoteAt, soon } from './discovery-fixture.ts';
import {
  headerOf,
  indexWith,
  localApi,
  memoryStore,
  type OpenApiFixture,
  openApiFixture as openApiFixtureWith,
  respondsJson,
  serves,
  specificationV2,
  specificationV3,
  textOf,
} from './openapi-fixture.ts';

const GROUP = 'wardle.example.com';
const NAME = `v1.${GROUP}`;
const PATH = `/apis/${GROUP}/v1/flunders`;
const KEY = `apis/${GROUP}/v1`;
const PROTOBUF = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';

/** One for all tests: it takes a while to start. Its jobs have the time of the machine, which no test moves. */
const shared = documentThread(systemClock);
after(() => shared.close());
const thread: DocumentThread = { run: shared.run, close: async () => {} };

function openApiFixture(t: TestContext, options: Parameters<typeof openApiFixtureWith>[1] = {}) {
  return openApiFixtureWith(t, { thread, ...options });
}

test('without other servers the documents are those of this process', async (t) => {
  const fixture = openApiFixture(t);
  assert.ok((await fixture.pathsOf()).includes('/apis/local.example.com/v1/'));
  assert.deepEqual(await fixture.keysOf(), [
    'apis',
    'apis/local.example.com',
    'apis/local.example.com/v1',
    'version',
  ]);
  for (const path of ['/openapi/v2x', '/openapi', '/apis', '/openapi/v3x']) {
    assert.equal(await fixture.ask(path), undefined, path);
  }
  await assert.rejects(fixture.ask('/openapi/v3/apis/nobody'), isStatus(404));
});

test('a server is asked soon, as the aggregator, and only for what is its own', async (t) => {
  const fixture = openApiFixture(t);
  const server = await lyingServer(t, healthy());
  fixture.registrations.put(remoteAt(server, GROUP, 'v1'));
  await fixture.firstAsk();
  await known(fixture);
  const paths = await fixture.pathsOf();
  assert.ok(paths.includes(PATH) && paths.includes('/version/'));
  assert.ok(!paths.includes('/apis/foreign.example.com/v1/'));
  const { definitions, info } = await fixture.json('/openapi/v2');
  assert.ok(Object.hasOwn(definitions, `io.${GROUP}.Flunder`));
  assert.equal(info.title, 'local.example.com');
  assert.ok(FIRST_ASK_MS <= 1000);
  const asked = server.seen.find(({ path }) => path === '/openapi/v2');
  assert.equal(asked?.headers['x-remote-user'], 'system:aggregator');
  assert.equal(asked?.headers.accept, 'application/json');
  assert.deepEqual(fixture.problems, []);
});

test('version 3 is passed on byte by byte, and its index has only what belongs to the registration', async (t) => {
  const fixture = openApiFixture(t);
  const server = await lyingServer(t, healthy());
  fixture.registrations.put(remoteAt(server, GROUP, 'v1'));
  await fixture.firstAsk();
  await known(fixture);
  const bytes = JSON.stringify(specificationV3(GROUP));
  const hash = createHash('sha512').update(bytes).digest('hex').toUpperCase();
  const index = await fixture.json('/openapi/v3');
  assert.deepEqual(index.paths[KEY], { serverRelativeURL: `/openapi/v3/${KEY}?hash=${hash}` });
  assert.equal((await fixture.get('/openapi/v3')).contentType, 'application/json');
  assert.equal(Object.keys(index.paths).length, 5);

  const document = await fixture.get(`/openapi/v3/${KEY}`);
  assert.equal(textOf(document), bytes);
  assert.equal(headerOf(document, 'ETag'), `"${hash}"`);
  const current = await fixture.get(`/openapi/v3/${KEY}?hash=${hash}`);
  assert.equal(headerOf(current, 'Cache-Control'), 'public, immutable');
  const stale = await fixture.get(`/openapi/v3/${KEY}?hash=OLD`);
  assert.equal(stale.code, 301);
  assert.equal(headerOf(stale, 'Location'), `/openapi/v3/${KEY}?hash=${hash}`);
  await assert.rejects(fixture.ask(`/openapi/v3/${KEY}`, { accept: 'text/html' }), isStatus(406));
});

test('the protobuf form of version 3 is passed on where a server has it', async (t) => {
  const type = 'application/com.github.proto-openapi.spec.v3.v1.0+protobuf';
  const protobuf: Behaviour = (request, response) => {
    if (request.headers.accept !== type)
      return respondsJson(specificationV3(GROUP))(request, response);
    response.writeHead(200, { 'content-type': type }).end('protobuf');
  };
  const fixture = openApiFixture(t);
  const server = await lyingServer(t, healthy({ [`/openapi/v3/${KEY}`]: protobuf }));
  fixture.registrations.put(remoteAt(server, GROUP, 'v1'));
  await fixture.firstAsk();
  await known(fixture);
  const made = await fixture.get(`/openapi/v3/${KEY}`, { accept: type.replace('v3.v1', 'v3@v1') });
  assert.equal(made.contentType, type);
  assert.equal(textOf(made), 'protobuf');
});

test('both forms of version 2 have one tag, and clients that have it get 304', async (t) => {
  const fixture = openApiFixture(t);
  const server = await lyingServer(t, healthy());
  fixture.registrations.put(remoteAt(server, GROUP, 'v1'));
  await fixture.firstAsk();
  await known(fixture);
  const json = await fixture.get('/openapi/v2');
  const protobuf = await fixture.get('/openapi/v2', { accept: PROTOBUF });
  const tag = headerOf(json, 'ETag') ?? '';
  assert.equal(headerOf(protobuf, 'ETag'), tag);
  assert.equal(tag, `"${createHash('sha512').update(textOf(json)).digest('hex').toUpperCase()}"`);
  assert.equal(protobuf.contentType, PROTOBUF);
  assert.ok(textOf(protobuf).includes(PATH));
  const again = await fixture.get('/openapi/v2', { 'if-none-match': tag });
  assert.equal(again.code, 304);
  await assert.rejects(fixture.ask('/openapi/v2', { accept: 'text/html' }), isStatus(406));
});

test('a document that has a tag is fetched once', async (t) => {
  const fixture = openApiFixture(t);
  const server = await lyingServer(t, healthy());
  fixture.registrations.put(remoteAt(server, GROUP, 'v1'));
  await fixture.firstAsk();
  await known(fixture);
  const before = textOf(await fixture.get('/openapi/v2'));
  const asked = server.seen.length;
  await askAgain(fixture);
  const again = server.seen.slice(asked);
  const [v2] = again.filter(({ path }) => path === '/openapi/v2');
  assert.equal(v2?.headers['if-none-match'], '"v2"');
  assert.ok(!again.some(({ path }) => path.includes(KEY)), 'its hash is the same');
  await fixture.clock.advance(MERGE_AFTER_MS);
  assert.equal(textOf(await fixture.get('/openapi/v2')), before);
  assert.match(
    fixture.metrics(),
    new RegExp(`count\\{apiservice="${NAME}",reason="update"\\} 1\n`),
  );
});

test('a document without a tag is compared, and one that changed replaces the old one', async (t) => {
  const fixture = openApiFixture(t);
  const server = await lyingServer(
    t,
    serves({ '/openapi/v2': respondsJson(specificationV2(GROUP)) }),
  );
  fixture.registrations.put(remoteAt(server, GROUP, 'v1'));
  await fixture.firstAsk();
  await known(fixture);
  const first = headerOf(await fixture.get('/openapi/v2'), 'ETag');
  await askAgain(fixture);
  assert.equal(server.seen.at(-1)?.headers['if-none-match'], undefined);
  assert.equal(headerOf(await fixture.get('/openapi/v2'), 'ETag'), first);

  server.behave = serves({ '/openapi/v2': respondsJson(specificationV2(GROUP, 'two')) });
  await askAgain(fixture);
  await soon(() => fixture.metrics().includes('reason="update"} 2'), 'the change is known');
  assert.equal(headerOf(await fixture.get('/openapi/v2'), 'ETag'), first, 'the last one, at once');
  await fixture.clock.advance(MERGE_AFTER_MS);
  const etag = async () => headerOf(await fixture.get('/openapi/v2'), 'ETag');
  await eventually('the change is served', async () => (await etag()) !== first);
  const { definitions } = await fixture.json('/openapi/v2');
  assert.equal(definitions[`io.${GROUP}.Flunder`].description, 'two');
});

const gzip: Behaviour = (_, response) => {
  response.writeHead(200, { 'content-encoding': 'gzip' }).end('x');
};
const endless: Behaviour = (_, response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  const chunk = Buffer.alloc(256 * 1024, ' ');
  const more = () => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on('drain', more);
  more();
};
const lost = { responses: { 200: { schema: { $ref: '#/definitions/Gone' } } } };
const dangling = {
  swagger: '2.0',
  paths: { [PATH]: { get: lost }, '/apis/never.example.com/v1/': { get: lost } },
};
const bad: readonly { name: string; behave: Behaviour; says: RegExp }[] = [
  {
    name: 'garbage',
    behave: (_, response) => void response.end('<html>'),
    says: /invalid character/,
  },
  {
    name: 'half a document',
    behave: (_, response) => void response.end('{"swagger":"2.0"'),
    says: /JSON/,
  },
  { name: 'nothing', behave: (_, response) => void response.end(), says: /JSON/ },
  { name: 'endless bodies', behave: endless, says: /larger than it may be/ },
  {
    name: 'errors',
    behave: (_, response) => void response.writeHead(500).end('oops'),
    says: /500: oops/,
  },
  {
    name: 'redirects',
    behave: (_, response) => void response.writeHead(302, { location: '/x' }).end(),
    says: /answered 302/,
  },
  {
    name: 'unasked 304',
    behave: (_, response) => void response.writeHead(304).end(),
    says: /without having been asked/,
  },
  { name: 'encodings that nobody asked for', behave: gzip, says: /encoding that nobody/ },
  {
    name: 'a connection that is cut',
    behave: (_, response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('{');
      setImmediate(() => response.destroy());
    },
    says: /aborted|terminated|hang up/,
  },
  {
    name: 'references that lead nowhere',
    behave: respondsJson(dangling),
    says: /not there/,
  },
];
for (const { name, behave, says } of bad) {
  test(`a server that answers with ${name} keeps what was good, and costs nobody else anything`, async (t) => {
    const fixture = openApiFixture(t);
    const server = await lyingServer(t, healthy());
    const never = await lyingServer(t, behave);
    fixture.registrations.put(remoteAt(server, GROUP, 'v1'));
    fixture.registrations.put(remoteAt(never, 'never.example.com', 'v1'));
    await fixture.firstAsk();
    await known(fixture);
    const isReported = (group: string) =>
      fixture.problems.some((problem) => problem.includes(`"v1.${group}"`) && says.test(problem));
    await soon(() => isReported('never.example.com'), `${name} from the start`);
    const before = textOf(await fixture.get('/openapi/v2'));
    const document = textOf(await fixture.get(`/openapi/v3/${KEY}`));
    assert.ok(before.includes(PATH) && !before.includes('never.example.com'));

    server.behave = behave;
    await askAgain(fixture);
    await soon(() => isReported(GROUP), `${name} later`);
    await fixture.clock.advance(MERGE_AFTER_MS);
    assert.equal(textOf(await fixture.get('/openapi/v2')), before);
    assert.equal(textOf(await fixture.get(`/openapi/v3/${KEY}`)), document);
  });
}

test('a server without OpenAPI is no problem', async (t) => {
  const fixture = openApiFixture(t);
  const server = await lyingServer(t, serves({}));
  fixture.registrations.put(remoteAt(server, GROUP, 'v1'));
  await fixture.firstAsk();
  await soon(() => fixture.roundsOf(NAME) === 1, 'asked');
  await askAgain(fixture);
  assert.equal(server.seen.length, 4);
  assert.deepEqual(fixture.problems, []);
  assert.ok(!(await fixture.keysOf()).includes(KEY));
});

test('servers that say nothing keep nobody waiting', async (t) => {
  const fixture = openApiFixture(t);
  const silent = await lyingServer(t, () => {});
  for (let index = 0; index < 20; index += 1) {
    fixture.registrations.put(remoteAt(silent, `silent${index}.example.com`, 'v1'));
  }
  const server = await lyingServer(t, healthy());
  fixture.registrations.put(remoteAt(server, GROUP, 'v1'));
  await fixture.firstAsk();
  await known(fixture);
  assert.ok((await fixture.pathsOf()).includes(PATH));
  await fixture.clock.advance(ASK_EVERY_MS);
  await soon(() => fixture.problems.length >= 20, 'they are given up');
  assert.match(fixture.problems[0] ?? '', /no whole document in 60 s/);
});

test('what was good survives a restart, also while its server is dead', async (t) => {
  const documents = memoryStore();
  const server = await lyingServer(t, healthy());
  const first = openApiFixture(t, { documents });
  const registration = remoteAt(server, GROUP, 'v1');
  first.registrations.put(registration);
  await first.firstAsk();
  await known(first);
  const [v2, v3] = [await first.get('/openapi/v2'), await first.get(`/openapi/v3/${KEY}`)];
  await first.openApi.close();
  await server.stop();

  const second = openApiFixture(t, { documents });
  second.registrations.put(registration);
  second.availability.set(NAME, 'False');
  assert.equal(textOf(await second.get(`/openapi/v3/${KEY}`)), textOf(v3));
  assert.equal(textOf(await second.get('/openapi/v2')), textOf(v2));
  assert.ok((await second.keysOf()).includes(KEY));

  const third = openApiFixture(t, { documents });
  third.registrations.put({ ...registration, uid: 'made anew' });
  assert.ok(!(await third.keysOf()).includes(KEY), 'one that was made anew inherits nothing');
});

test('OpenAPI v2 is never served without the documents that were kept, however long the first merge takes', async (t) => {
  const { documents, registration } = await afterHealthyServer(t);
  const { thread: slow, reached, release } = heldMerge();
  const fixture = openApiFixture(t, { documents, thread: slow });
  fixture.registrations.put(registration);
  fixture.availability.set(NAME, 'False');
  const first = fixture.pathsOf();
  await reached;
  await fixture.clock.advance(JOB_MS_MAX);
  const second = fixture.pathsOf();
  await nextTurn(); // a response from memory would be there by now
  release();
  for (const paths of [await first, await second]) assert.ok(paths.includes(PATH), `${paths}`);
});

test('a request for OpenAPI v2 that is cancelled does not wait for the merge', async (t) => {
  const { documents, registration } = await afterHealthyServer(t);
  const { thread: slow, reached, release } = heldMerge();
  const fixture = openApiFixture(t, { documents, thread: slow });
  fixture.registrations.put(registration);
  const request = requestFor('/openapi/v2');
  const response = Promise.resolve(fixture.openApi.route(request));
  const paths = fixture.pathsOf();
  await reached;
  request.cancellation.abort(new Error('the request took too long'));
  await assert.rejects(response, /took too long/);
  release();
  assert.ok((await paths).includes(PATH));
});

test('a merge that fails leaves the document of this process', async (t) => {
  const { documents, registration } = await afterHealthyServer(t);
  const fixture = openApiFixture(t, {
    documents,
    thread: { run: async () => Promise.reject(new Error('no memory')), close: async () => {} },
  });
  fixture.registrations.put(registration);
  assert.ok((await fixture.pathsOf()).includes('/apis/local.example.com/v1/'));
  assert.match(fixture.problems.join('\n'), /Merging OpenAPI v2 failed/);
});

test('documents that were kept are served as soon as their registration is listed', async (t) => {
  const { documents, registration } = await afterHealthyServer(t);
  const fixture = openApiFixture(t, { documents });
  assert.ok(!(await fixture.keysOf()).includes(KEY), 'the kept documents are read by now');
  fixture.registrations.put(registration);
  assert.ok((await fixture.keysOf()).includes(KEY));
  assert.ok((await fixture.pathsOf()).includes(PATH));
});

test('with its registration, everything of a server goes', async (t) => {
  const documents = memoryStore();
  const fixture = openApiFixture(t, { documents });
  const server = await lyingServer(t, healthy());
  for (const end of ['removed', 'served here'] as const) {
    fixture.registrations.put(remoteAt(server, GROUP, 'v1'));
    await fixture.firstAsk();
    await known(fixture);
    await fixture.clock.advance(1000);
    await eventually('it is merged', async () => (await fixture.pathsOf()).includes(PATH));
    assert.notEqual(documents.now.size, 0);
    if (end === 'removed') fixture.registrations.remove(NAME);
    else fixture.registrations.put(localAt(GROUP, 'v1'));
    assert.equal(documents.now.size, 0);
    assert.ok(!(await fixture.keysOf()).includes(KEY));
    await fixture.clock.advance(1000);
    await eventually('it is gone', async () => !(await fixture.pathsOf()).includes(PATH));
  }
});

test('version 3 is made of version 2 while a server has no index, and not a moment longer', async (t) => {
  const fixture = openApiFixture(t);
  const v2 = { '/openapi/v2': respondsJson(specificationV2(GROUP), '"v2"') };
  const server = await lyingServer(t, serves(v2));
  fixture.registrations.put(remoteAt(server, GROUP, 'v1'));
  await fixture.firstAsk();
  await known(fixture);
  const converted = await fixture.json(`/openapi/v3/${KEY}`);
  assert.equal(converted.openapi, '3.0.0');
  assert.deepEqual(Object.keys(converted.paths), [PATH]);
  assert.ok(converted.components.schemas[`io.${GROUP}.Flunder`]);

  server.behave = healthy();
  await askAgain(fixture);
  await eventually(
    'its own document is served',
    async () =>
      textOf(await fixture.get(`/openapi/v3/${KEY}`)) === JSON.stringify(specificationV3(GROUP)),
  );
});

test('failures are followed by longer and longer pauses, and success by the ordinary one', async (t) => {
  const fixture = openApiFixture(t);
  const server = await lyingServer(t, (_, response) => void response.writeHead(500).end());
  fixture.registrations.put(remoteAt(server, GROUP, 'v1'));
  await fixture.firstAsk();
  await soon(() => fixture.roundsOf(NAME) === 1, 'asked');
  let rounds = 1;
  for (const pauseMs of [RETRY_MS_MIN, 2 * RETRY_MS_MIN, 4 * RETRY_MS_MIN]) {
    assert.equal(server.seen.length, 2 * rounds);
    await fixture.clock.advance(pauseMs - 1);
    assert.ok(fixture.clock.isWaiting(pauseMs), `it is not asked before ${pauseMs} ms`);
    await fixture.clock.advance(1);
    rounds += 1;
    await soon(() => fixture.roundsOf(NAME) === rounds, `after ${pauseMs} ms`);
  }
  assert.equal(fixture.problems.length, 1, 'one line for one problem');
});

test('a server that is unavailable is not asked, and at once when it is back', async (t) => {
  const fixture = openApiFixture(t);
  const server = await lyingServer(t, healthy());
  fixture.availability.set(NAME, 'False');
  fixture.registrations.put(remoteAt(server, GROUP, 'v1'));
  await fixture.clock.advance(3 * ASK_EVERY_MS);
  assert.equal(server.seen.length, 0);
  fixture.availability.set(NAME, 'True');
  await fixture.firstAsk();
  await known(fixture);
});

test('where there is no room, a document of version 3 comes from its server', async (t) => {
  const fixture = openApiFixture(t, { cachedBytesMax: 100 });
  const server = await lyingServer(t, healthy());
  fixture.registrations.put(remoteAt(server, GROUP, 'v1'));
  await fixture.firstAsk();
  await known(fixture);
  const index = await fixture.json('/openapi/v3');
  assert.equal(index.paths[KEY].serverRelativeURL, `/openapi/v3/${KEY}?hash=H1`);
  const response = await fixture.ask(`/openapi/v3/${KEY}?hash=H1`);
  assert.equal(response?.kind, 'proxied');
  assert.equal(headerOf(response, 'content-type'), 'application/json');
  const chunks = await Array.fromAsync((response as { chunks: AsyncIterable<Uint8Array> }).chunks);
  assert.equal(Buffer.concat(chunks).toString(), JSON.stringify(specificationV3(GROUP)));
  assert.match(fixture.problems.join(), /no room for its document/);
  fixture.availability.set(NAME, 'False');
  await assert.rejects(fixture.ask(`/openapi/v3/${KEY}`), isStatus(503));
});

test('what this process serves may change', async (t) => {
  let apis = [localApi];
  const fixture = openApiFixture(t, { localApis: () => apis });
  assert.ok(!(await fixture.keysOf()).includes('apis/more.example.com/v1'));
  await fixture.pathsOf();
  const kind = defineResource({
    kind: 'More',
    plural: 'mores',
    scope: 'Cluster',
    versions: { v1: version({}) },
  });
  apis = [localApi, defineApi({ group: 'more.example.com', resources: [kind] })];
  // Until a second has passed, what was complete before is good enough.
  await fixture.keysOf();
  await fixture.pathsOf();
  await fixture.clock.advance(1000);
  assert.ok((await fixture.keysOf()).includes('apis/more.example.com/v1'));
  await eventually('what is served now is merged', async () =>
    (await fixture.pathsOf()).includes('/apis/more.example.com/v1/mores'),
  );
});

test('the core group of another server lies below /api', async (t) => {
  const fixture = openApiFixture(t);
  const document = { swagger: '2.0', paths: { '/api/v1/pods': {}, '/api/': {}, '/apis//v1/': {} } };
  const server = await lyingServer(t, serves({ '/openapi/v2': respondsJson(document) }));
  fixture.registrations.put(remoteAt(server, '', 'v1'));
  await fixture.firstAsk();
  await soon(() => fixture.metrics().includes('reason="update"} 1'), 'known');
  const paths = await fixture.pathsOf();
  assert.ok(
    paths.includes('/api/v1/pods') && !paths.includes('/api/') && !paths.includes('/apis//v1/'),
  );
  await eventually('version 3 is known', async () => (await fixture.keysOf()).includes('api/v1'));
});

test('so much is read at once and no more, and what was read is given back', async (t) => {
  const server = await lyingServer(t, healthy());
  const budget = byteBudget(300);
  const fetch = (path: string) =>
    fetchDocument(
      directBackends().of(remoteAt(server, GROUP, 'v1')),
      {
        ...{ path, accept: 'application/json', etag: undefined, bytesMax: 1_000_000 },
        ...{ budget, clock: new VirtualClock(), signal: new AbortController().signal },
      },
      async ({ kind }) => `${kind} ${budget.take(300)}`,
    );
  await assert.rejects(fetch('/openapi/v2'), /too much is read at once/);
  assert.equal(await fetch(`/openapi/v3/${KEY}`), 'document false', 'it is held while it is used');
  assert.equal(budget.take(300), true, 'nothing is held any more');
});

/** Documents of a server that has stopped stay. */
async function afterHealthyServer(t: TestContext) {
  const documents = memoryStore();
  const server = await lyingServer(t, healthy());
  const registration = remoteAt(server, GROUP, 'v1');
  const fixture = openApiFixture(t, { documents });
  fixture.registrations.put(registration);
  await fixture.firstAsk();
  await known(fixture);
  await fixture.openApi.close();
  await server.stop();
  return { documents, registration };
}

/** A thread whose merges wait until they are released. */
function heldMerge() {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
  const held: DocumentThread = {
    async run(name, ask, bytes) {
      if (name === 'merge') {
        reach();
        await released;
      }
      return thread.run(name, ask, bytes);
    },
    close: async () => release(),
  };
  return { thread: held, reached, release };
}

function healthy(more: Readonly<Record<string, Behaviour>> = {}): Behaviour {
  return serves({
    '/openapi/v2': respondsJson(specificationV2(GROUP), '"v2"'),
    '/openapi/v3': indexWith(GROUP, 'H1'),
    [`/openapi/v3/${KEY}`]: respondsJson(specificationV3(GROUP)),
    ...more,
  });
}

/** Until both documents of the healthy server are known. */
async function known(fixture: OpenApiFixture): Promise<void> {
  await eventually('version 3 is known', async () => (await fixture.keysOf()).includes(KEY));
  if (fixture.problems.some((problem) => problem.includes('no room'))) return;
  await soon(
    () => fixture.metrics().includes(`{apiservice="${NAME}",reason="update"}`),
    'version 2 is known',
  );
  await soon(() => fixture.roundsOf(NAME) > 0, 'the first round has ended');
}

/** The next round of requests, whole. The one before it must have ended. */
async function askAgain(fixture: OpenApiFixture): Promise<void> {
  const rounds = fixture.roundsOf(NAME);
  assert.ok(rounds > 0);
  await fixture.clock.advance(ASK_EVERY_MS);
  await soon(() => fixture.roundsOf(NAME) > rounds, 'asked again');
}

function isStatus(code: number): (error: unknown) => boolean {
  return (error) => error instanceof StatusError && error.status.code === code;
}
