/** Flags of a program, with real files: what they say, what is wrong with them, and how they change. */
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import {
  createPki,
  httpsRequest,
  startProcess,
  temporaryDirectory,
  writePki,
} from '../../../test/harness/index.ts';
import { sourceFlags } from '../launcher.js';

const READY = /is ready at (https:\S+)/;
const POLICY = 'apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{ level: Metadata }]\n';

async function start(t: TestContext, directory: string, args: readonly string[]) {
  return startProcess(t, {
    name: 'weather',
    command: process.execPath,
    args: [
      ...sourceFlags(),
      join(import.meta.dirname, 'weather-program.ts'),
      '--secure-port=0',
      `--data-dir=${join(directory, 'data')}`,
      ...args,
    ],
  });
}

test('a program logs, audits, takes new tokens and certificates, and stops', async (t) => {
  const directory = await temporaryDirectory(t, 'program-');
  const pki = await createPki();
  const files = await writePki(directory, pki);
  const [tokens, policy, audit] = ['tokens.csv', 'policy.yaml', 'audit.log'].map((name) =>
    join(directory, name),
  ) as [string, string, string];
  await writeFile(tokens, 'first,alice,1,system:masters\n');
  await writeFile(policy, POLICY);
  const program = await start(t, directory, [
    `--tls-cert-file=${files.serverCertFile}`,
    `--tls-private-key-file=${files.serverKeyFile}`,
    `--token-auth-file=${tokens}`,
    `--audit-policy-file=${policy}`,
    `--audit-log-path=${audit}`,
    '-v=3',
    '--logging-format=json',
  ]);
  const [, url = ''] = await program.waitForLog(READY);
  const ask = (token: string, ca = pki.ca.cert) =>
    httpsRequest(`${url}/apis?access_token=s3cret`, { ca, token });
  assert.equal((await ask('first')).status, 200);
  const [line] = await program.waitForLog(/^.*"msg":"HTTP".*$/m);
  assert.match(line, /"URI":"\/apis\?access_token=REDACTED".*"resp":200/);

  await writeFile(tokens, 'second,bob,2,system:masters\n');
  await program.waitForLog(/Reloaded token file/);
  assert.equal((await ask('first')).status, 401);
  assert.equal((await ask('second')).status, 200);
  await writeFile(tokens, 'too,few\n');
  await program.waitForLog(/Failed to reload token file/);
  assert.equal((await ask('second')).status, 200);

  const other = await createPki();
  await writeFile(files.serverCertFile, other.server.cert);
  await writeFile(files.serverKeyFile, other.server.key);
  await program.waitForLog(/Reloaded serving certificate/);
  assert.equal((await ask('second', other.ca.cert)).status, 200);

  assert.deepEqual(await program.stop(), { code: 0, signal: null });
  assert.ok(!program.log().includes('s3cret'), 'secrets are not logged');
  const events = (await readFile(audit, 'utf8')).trimEnd().split('\n');
  const users = events
    .map((text) => JSON.parse(text))
    .map(({ stage, user }) => [stage, user.username]);
  assert.deepEqual(
    users.filter(([stage]) => stage !== 'RequestReceived'),
    [
      ['ResponseComplete', 'alice'],
      ['ResponseStarted', undefined],
      ['ResponseComplete', 'bob'],
      ['ResponseComplete', 'bob'],
      ['ResponseComplete', 'bob'],
    ],
  );
});

const wrong = [
  { name: 'a token file', flag: 'token-auth-file', text: 'a,b', says: /found 2/ },
  {
    name: 'an audit policy',
    flag: 'audit-policy-file',
    text: POLICY.replace('Metadata', 'All'),
    more: ['--audit-log-path=-'],
    says: /rules\[0\]\.level: Unsupported value: "All"/,
  },
  { name: 'a bundle', flag: 'client-ca-file', text: 'x', says: /contains no certificate/ },
];
for (const { name, flag, text, more = [], says } of wrong) {
  test(`${name} is refused with the flag and the file when it is invalid`, async (t) => {
    const directory = await temporaryDirectory(t, 'program-');
    const file = join(directory, 'file');
    await writeFile(file, text);
    const program = await start(t, directory, [`--${flag}=${file}`, ...more]);
    assert.deepEqual(await program.exited, { code: 1, signal: null });
    assert.match(program.log(), says);
    assert.ok(program.log().includes(`weather: --${flag} ${file}: `));
  });
}

test('one authority for clients and front proxies is refused, without --requestheader-allowed-names', async (t) => {
  const directory = await temporaryDirectory(t, 'program-');
  const { caFile } = await writePki(directory, await createPki());
  const args = [`--client-ca-file=${caFile}`, `--requestheader-client-ca-file=${caFile}`];
  const refused = await start(t, directory, args);
  assert.deepEqual(await refused.exited, { code: 1, signal: null });
  assert.match(refused.log(), /set --requestheader-allowed-names/);
  const accepted = await start(t, directory, [...args, '--requestheader-allowed-names=proxy']);
  await accepted.waitForLog(READY);
});
