import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { type TestScope, temporaryDirectory } from '../../../test/harness/index.ts';
import { runExecPlugin } from '../src/credentials/exec-plugin.ts';
import { createTransport, type ExecPlugin, ExecPluginError } from '../src/index.ts';
import { startTestServer } from './test-server.ts';

const apiVersion = 'client.authentication.k8s.io/v1';

/** A plugin that runs this JavaScript. */
async function plugin(t: TestScope, script: string): Promise<ExecPlugin> {
  const file = join(await temporaryDirectory(t), 'plugin.mjs');
  await writeFile(file, script);
  return { apiVersion, command: process.execPath, args: [file], env: [] };
}

const print = (status: object): string =>
  `console.log(JSON.stringify(${JSON.stringify({ kind: 'ExecCredential', apiVersion, status })}));`;

test('the plugin sees its environment, and its output is parsed', async (t) => {
  const directory = await temporaryDirectory(t);
  const exec = await plugin(
    t,
    `import { writeFileSync } from 'node:fs';
     writeFileSync(process.env.OUT, JSON.stringify([process.env.A, JSON.parse(process.env.KUBERNETES_EXEC_INFO)]));
     ${print({ token: 't', expirationTimestamp: '2030-01-01T00:00:00Z' })}`,
  );
  const out = join(directory, 'out');
  const credential = await runExecPlugin({
    ...exec,
    env: [
      { name: 'A', value: 'b' },
      { name: 'OUT', value: out },
    ],
    cluster: { server: 'https://example.com' },
  });
  assert.deepEqual(credential, { token: 't', expiresMs: Date.UTC(2030, 0, 1) });
  assert.deepEqual(JSON.parse(await readFile(out, 'utf8')), [
    'b',
    {
      kind: 'ExecCredential',
      apiVersion,
      spec: { cluster: { server: 'https://example.com' }, interactive: false },
    },
  ]);
});

suite('what a plugin can do wrong', () => {
  const rows: { name: string; script: string; message: RegExp; timeoutMs?: number }[] = [
    {
      name: 'fail',
      script: 'console.error("login first"); process.exit(3)',
      message: /failed with code 3: login first/,
    },
    { name: 'print no JSON', script: 'console.log("secret")', message: /did not print JSON$/ },
    {
      name: 'print another kind',
      script: 'console.log("{}")',
      message: /must print an ExecCredential/,
    },
    {
      name: 'print no status',
      script: `console.log(JSON.stringify({ kind: 'ExecCredential', apiVersion: '${apiVersion}' }))`,
      message: /printed no status/,
    },
    {
      name: 'print nothing to use',
      script: print({}),
      message: /neither a token nor a certificate/,
    },
    {
      name: 'print half a pair',
      script: print({ clientKeyData: 'x' }),
      message: /only one of certificate and key/,
    },
    {
      name: 'print a bad time',
      script: print({ token: 't', expirationTimestamp: 'soon' }),
      message: /bad expirationTimestamp/,
    },
    {
      name: 'print a lot',
      script: 'process.stdout.write("x".repeat(2e6))',
      message: /printed more than 1048576 bytes/,
    },
    {
      name: 'take too long',
      script: 'setInterval(() => {}, 1000)',
      message: /did not end within 300 ms/,
      timeoutMs: 300,
    },
  ];
  for (const { name, script, message, timeoutMs = 30_000 } of rows) {
    test(name, async (t) => {
      const exec = await plugin(t, script);
      await assert.rejects(runExecPlugin(exec, { timeoutMs }), (error) => {
        assert.ok(error instanceof ExecPluginError, String(error));
        assert.match(error.message, message);
        assert.doesNotMatch(error.message, /secret/);
        return true;
      });
    });
  }

  test('not be there', async () => {
    const exec = { apiVersion, command: '/no/such/plugin', args: [], env: [] };
    await assert.rejects(
      runExecPlugin({ ...exec, installHint: 'brew install \u001b[1mplugin' }),
      /exec plugin \/no\/such\/plugin: there is no such program\nbrew install \ufffd\[1mplugin$/,
    );
  });
});

test('credentials are used until they expire or the server refuses them, and the plugin runs once at a time', async (t) => {
  const directory = await temporaryDirectory(t);
  const count = join(directory, 'count');
  await writeFile(count, '');
  const exec = await plugin(
    t,
    `import { appendFileSync, readFileSync } from 'node:fs';
     appendFileSync(${JSON.stringify(count)}, 'x');
     const token = 'token-' + readFileSync(${JSON.stringify(count)}, 'utf8').length;
     console.log(JSON.stringify({ kind: 'ExecCredential', apiVersion: '${apiVersion}', status: {
       token, expirationTimestamp: '2030-01-01T00:00:00Z' } }));`,
  );
  const refused = new Set<string>();
  const tokens: string[] = [];
  const server = await startTestServer(t, ({ headers }, response) => {
    const token = String(headers.authorization).replace('Bearer ', '');
    tokens.push(token);
    response.send(refused.has(token) ? 401 : 200, {});
  });
  let nowMs = Date.UTC(2029, 0, 1);
  const clock = { nowMs: () => nowMs, schedule: () => () => undefined };
  const identity = { authorization: { kind: 'exec', exec } } as const;
  await using transport = createTransport({ ...server.config, identity }, { clock });
  await Promise.all([1, 2, 3].map(() => transport.request('GET', '/')));
  assert.deepEqual(tokens, ['token-1', 'token-1', 'token-1']);
  refused.add('token-1');
  assert.equal((await transport.request('GET', '/')).status, 200);
  nowMs = Date.UTC(2031, 0, 1);
  await transport.request('GET', '/');
  assert.deepEqual(tokens.slice(3), ['token-1', 'token-2', 'token-3']);
});

test('a plugin may print a client certificate', async (t) => {
  const server = await startTestServer(t, (_, response) => response.send(200, {}));
  const { cert, key } = server.pki.admin;
  const exec = await plugin(t, print({ clientCertificateData: cert, clientKeyData: key }));
  const identity = { authorization: { kind: 'exec', exec } } as const;
  await using transport = createTransport({ ...server.config, identity });
  assert.equal((await transport.request('GET', '/')).status, 200);
  assert.equal(server.requests[0]?.headers.authorization, undefined);
});
