import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { existsSync, readFileSync, rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { decodeYaml } from '@tributary/apimachinery';
import { runSource, temporaryDirectory } from '../../../../test/harness/index.ts';
import { initCertificates } from './pki/init.ts';
import { inspectCertificates } from './pki/inspect.ts';
import { renewCertificates } from './pki/renew.ts';

const wardle = { server: 'wardle.example.com', service: { namespace: 'wardle', name: 'api' } };
const nothingMore = { name: [], address: [] };

interface Report {
  problems: number;
  directories: { directory: string; certificates: Record<string, unknown>[] }[];
}

async function inspect(dataDir: string, more: object = {}): Promise<Report> {
  const { lines } = await inspectCertificates({ dataDir, output: 'json', ...more });
  return JSON.parse(lines.join('\n')) as Report;
}

async function made(t: TestContext): Promise<{ dataDir: string; directory: string }> {
  const dataDir = await temporaryDirectory(t);
  await initCertificates({ dataDir, ...nothingMore });
  await initCertificates({ dataDir, ...wardle, ...nothingMore });
  return { dataDir, directory: join(dataDir, 'pki', 'servers', wardle.server) };
}

test('init tells what it made, once', async (t) => {
  const dataDir = await temporaryDirectory(t);
  const flags = { dataDir, name: ['api.example.com'], address: ['192.0.2.7'] };
  assert.match((await initCertificates(flags)).join('\n'), /made ca\.key, ca\.crt, .*sa\.pub$/);
  assert.match((await initCertificates(flags)).join('\n'), /everything is there and good$/);
  const serving = new X509Certificate(readFileSync(join(dataDir, 'pki', 'apiserver.crt')));
  assert.ok(serving.checkHost('api.example.com') && serving.checkIP('192.0.2.7'));
});

test('an extension server gets files, a Secret and the caBundle', async (t) => {
  const { directory } = await made(t);
  const text = (name: string): string => readFileSync(join(directory, name), 'utf8');
  const lines = await initCertificates({ dataDir: '', ...wardle, ...nothingMore, out: directory });
  const caBundle = Buffer.from(text('ca.crt')).toString('base64');
  assert.equal(lines.at(-1), caBundle);
  assert.equal(text('ca-bundle.txt').trim(), caBundle);
  assert.deepEqual(decodeYaml(Buffer.from(text('secret.yaml'))).value, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'api-tls', namespace: 'wardle' },
    type: 'kubernetes.io/tls',
    data: Object.fromEntries(
      ['ca.crt', 'tls.crt', 'tls.key'].map((name) => [
        name,
        Buffer.from(text(name)).toString('base64'),
      ]),
    ),
  });
  const leaf = new X509Certificate(text('tls.crt'));
  for (const name of ['api.wardle.svc', 'api.wardle', 'api.wardle.svc.cluster.local']) {
    assert.ok(leaf.checkHost(name, { subject: 'never' }), name);
  }
});

test('renew signs new leaves with the same CA', async (t) => {
  const { dataDir, directory } = await made(t);
  const read = () =>
    ['ca.crt', 'tls.crt'].map((name) => readFileSync(join(directory, name), 'utf8'));
  const [ca, leaf] = read();
  await renewCertificates({ dataDir, server: wardle.server });
  const [sameCa, newLeaf] = read();
  assert.equal(sameCa, ca);
  assert.notEqual(newLeaf, leaf);
  assert.match(
    (await renewCertificates({ dataDir })).join('\n'),
    /made apiserver\.key, apiserver\.crt/,
  );
  assert.equal((await inspect(dataDir)).problems, 0);
});

test('renew --ca goes step by step, says the next one, and repeats without going on', async (t) => {
  const { dataDir, directory } = await made(t);
  const count = (): number =>
    readFileSync(join(directory, 'ca.crt'), 'utf8').split('BEGIN CERTIFICATE').length - 1;
  const steps = [
    { step: undefined, next: /--step leaf$/m, certificates: 2 },
    { step: undefined, next: /--step leaf$/m, certificates: 2 },
    { step: 'leaf' as const, next: /--step drop$/m, certificates: 2 },
    { step: undefined, next: /--step drop$/m, certificates: 2 },
    { step: 'drop' as const, next: /One CA is left/, certificates: 1 },
    { step: 'drop' as const, next: /nothing to do for the step drop/, certificates: 1 },
  ];
  for (const { step, next, certificates } of steps) {
    const flags = { dataDir, server: wardle.server, ca: true as const };
    const lines = await renewCertificates({ ...flags, ...(step !== undefined && { step }) });
    assert.match(lines.join('\n'), next);
    assert.equal(count(), certificates);
    assert.equal((await inspect(dataDir)).problems, 0, 'the Secret and the caBundle follow');
  }
  for (const [step, next] of [
    ['bundle', /--step leaf$/m],
    ['leaf', /--step drop$/m],
    ['drop', /is left/],
  ] as const) {
    assert.match((await renewCertificates({ dataDir, ca: true, step })).join('\n'), next);
  }
});

test('the command that comes next can be pasted', async (t) => {
  const { directory } = await made(t);
  const flags = { dataDir: '.tributary', server: wardle.server, out: directory, ca: true as const };
  const lines = await renewCertificates(flags);
  assert.ok(
    lines.includes(
      `  tributary pki renew --ca --server ${wardle.server} --out ${directory} --step leaf`,
    ),
  );
});

test('inspect shows every certificate in a table, and the problems below it', async (t) => {
  const { dataDir, directory } = await made(t);
  const good = await inspectCertificates({ dataDir, output: 'table' });
  assert.equal(good.problems, 0);
  assert.match(
    good.lines.join('\n'),
    /^apiserver\.crt +CN=kube-apiserver +CN=kubernetes-server-ca +kubernetes,kubernetes\.default \+\d+ +serverAuth +364d +server-ca\.crt$/m,
  );
  assert.match(good.lines.join('\n'), /^tls\.crt +CN=api\.wardle\.svc /m);
  rmSync(join(dataDir, 'pki', 'admin.key'));
  truncateSync(join(directory, 'secret.yaml'), 10);
  const bad = await inspectCertificates({ dataDir, output: 'table' });
  assert.equal(bad.problems, 2);
  assert.match(bad.lines.join('\n'), /^problems:\n {2}admin\.crt: admin\.key is missing$/m);
  assert.match(bad.lines.join('\n'), /^ {2}secret\.yaml does not hold these certificates/m);
});

test('inspect as JSON has everything', async (t) => {
  const { dataDir } = await made(t);
  const { problems, directories } = await inspect(dataDir);
  assert.equal(problems, 0);
  assert.equal(directories.length, 2);
  const admin = directories[0]?.certificates.find(({ file }) => file === 'admin.crt');
  assert.deepEqual(
    { ...admin, notBefore: typeof admin?.notBefore, notAfter: typeof admin?.notAfter },
    {
      file: 'admin.crt',
      subject: 'O=system:masters, CN=kubernetes-admin',
      issuer: 'CN=kubernetes',
      names: [],
      usages: ['clientAuth'],
      notBefore: 'string',
      notAfter: 'string',
      verifiedBy: 'ca.crt',
      problems: [],
    },
  );
});

test('a directory that cannot be read does not hide the others', async (t) => {
  const { dataDir, directory } = await made(t);
  truncateSync(join(directory, 'tls.crt'), 30);
  const { problems, directories } = await inspect(dataDir);
  assert.deepEqual([problems, directories.length], [1, 2]);
});

const refused: { name: string; run: (dataDir: string) => Promise<unknown>; why: RegExp }[] = [
  {
    name: '--service alone',
    run: (dataDir) => initCertificates({ dataDir, service: wardle.service, ...nothingMore }),
    why: /--service is about an extension server: name it with --server GROUP/,
  },
  {
    name: '--out alone',
    run: (dataDir) => initCertificates({ dataDir, out: dataDir, ...nothingMore }),
    why: /--out is about an extension server/,
  },
  {
    name: '--server without a Service',
    run: (dataDir) => initCertificates({ dataDir, server: 'a.example', ...nothingMore }),
    why: /add --service NAMESPACE\/NAME/,
  },
  {
    name: 'names for an extension server',
    run: (dataDir) => initCertificates({ dataDir, ...wardle, name: ['a'], address: [] }),
    why: /about the control plane/,
  },
  {
    name: 'a name that is none',
    run: (dataDir) => initCertificates({ dataDir, name: ['a b'], address: [] }),
    why: /neither a DNS name nor an address/,
  },
  {
    name: 'renewing nothing',
    run: (dataDir) => renewCertificates({ dataDir }),
    why: /there are no certificates in .*begin with "tributary pki init"/,
  },
  {
    name: '--step without --ca',
    run: (dataDir) => renewCertificates({ dataDir, step: 'leaf' }),
    why: /add --ca/,
  },
];
for (const { name, run, why } of refused) {
  test(`refused: ${name}`, async (t) => {
    const dataDir = await temporaryDirectory(t);
    await assert.rejects(run(dataDir), why);
    assert.ok(!existsSync(join(dataDir, 'pki')), 'nothing is written');
  });
}

const lines: { name: string; args: string[]; status: number; shows: RegExp }[] = [
  {
    name: 'help names the commands',
    args: ['--help'],
    status: 0,
    shows: /init .*\n +renew .*\n +inspect /s,
  },
  {
    name: 'a Service is a namespace and a name',
    args: ['init', '--server', 'a.example', '--service', 'api'],
    status: 1,
    shows: /Write it as NAMESPACE\/NAME/,
  },
  {
    name: 'a group is no path',
    args: ['init', '--server', '../x', '--service', 'a/b'],
    status: 1,
    shows: /RFC 1123 subdomain/,
  },
  {
    name: 'an unknown step',
    args: ['renew', '--ca', '--step', 'jump'],
    status: 1,
    shows: /Allowed choices are bundle, leaf, drop/,
  },
  {
    name: 'problems are an exit code',
    args: ['inspect', '--data-dir', '/nonexistent'],
    status: 1,
    shows: /ca\.crt is missing/,
  },
];
for (const { name, args, status, shows } of lines) {
  test(`command line: ${name}`, () => {
    const main = join(import.meta.dirname, '..', 'main.ts');
    const { command, args: all } = runSource(main, ['pki', ...args]);
    const ended = spawnSync(command, all, { encoding: 'utf8' });
    assert.match(ended.stdout + ended.stderr, shows);
    assert.equal(ended.status, status);
  });
}
