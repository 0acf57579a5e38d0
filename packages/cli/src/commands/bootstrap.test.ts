import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { decodeYaml, type KubeObject } from '@tributary/apimachinery';
import { createAuthority } from '@tributary/server/pki';
import { temporaryDirectory } from '../../../../test/harness/index.ts';
import { type BootstrapFlags, bootstrap } from './bootstrap/bootstrap.ts';

const GROUP = 'wardle.example.com';
const HOST = 'wardle-apiserver.wardle-system.svc';

/** The output in a new data directory. */
async function printed(t: TestContext, flags: Partial<BootstrapFlags>) {
  const dataDir = flags.dataDir ?? (await temporaryDirectory(t));
  return bootstrap({ output: 'yaml', ...flags, dataDir });
}

function itemsOf(document: string): KubeObject[] {
  const { value } = decodeYaml(Buffer.from(document));
  const { kind, items } = value as { kind: string; items: KubeObject[] };
  assert.equal(kind, 'List');
  return items;
}

function find(items: readonly KubeObject[], kind: string): KubeObject & Record<string, unknown> {
  const found = items.find((item) => item.kind === kind);
  assert.ok(found, kind);
  return found;
}

function pem(base64: unknown): string {
  return Buffer.from(String(base64), 'base64').toString();
}

describe('certificates', () => {
  test('the pair names the Service, and the CA that signed it is trusted', async (t) => {
    const items = itemsOf((await printed(t, { group: GROUP })).document);
    const data = find(items, 'Secret').data as Record<string, string>;
    const { caBundle } = find(items, 'APIService').spec as { caBundle: string };
    const leaf = new X509Certificate(pem(data['tls.crt']));
    assert.ok(leaf.checkHost(HOST));
    assert.ok(leaf.verify(new X509Certificate(pem(caBundle)).publicKey));
    assert.equal(data['ca.crt'], caBundle);
  });

  test('they are made once: the same command prints the same bytes', async (t) => {
    const dataDir = await temporaryDirectory(t);
    const first = await printed(t, { group: GROUP, dataDir });
    const second = await printed(t, { group: GROUP, dataDir });
    assert.equal(second.document, first.document);
    assert.match(first.notes.join('\n'), /made ca\.key, ca\.crt, tls\.key, tls\.crt/);
    assert.doesNotMatch(second.notes.join('\n'), /made/);
  });

  test('without the Secret there is no key in it, and nothing else is different', async (t) => {
    const dataDir = await temporaryDirectory(t);
    const whole = itemsOf((await printed(t, { group: GROUP, dataDir })).document);
    const { document } = await printed(t, { group: GROUP, dataDir, omitSecret: true });
    assert.deepEqual(
      itemsOf(document),
      whole.filter(({ kind }) => kind !== 'Secret'),
    );
    assert.doesNotMatch(document, /private key|tls\.key:/);
  });

  test('somebody’s own', async (t) => {
    const directory = await temporaryDirectory(t);
    const ca = createAuthority('own');
    const { cert, key } = ca.issue({ commonName: HOST, names: [HOST], usage: 'server' });
    const files = {
      tlsCertFile: join(directory, 'a.crt'),
      tlsPrivateKeyFile: join(directory, 'a.key'),
      caFile: join(directory, 'ca.pem'),
    };
    await writeFile(files.tlsCertFile, cert);
    await writeFile(files.tlsPrivateKeyFile, key, { mode: 0o600 });
    await writeFile(files.caFile, ca.cert);
    const items = itemsOf((await printed(t, { group: GROUP, ...files })).document);
    assert.equal(pem((find(items, 'Secret').data as Record<string, string>)['tls.crt']), cert);
    assert.equal(pem((find(items, 'APIService').spec as { caBundle: string }).caBundle), ca.cert);
    await assert.rejects(
      printed(t, { group: GROUP, ...files, caFile: files.tlsPrivateKeyFile }),
      /a\.key holds no certificate in PEM/,
    );
  });

  test('that nothing is verified must be said', async (t) => {
    const items = itemsOf(
      (await printed(t, { group: GROUP, insecureSkipTlsVerify: true })).document,
    );
    const { caBundle, insecureSkipTLSVerify } = find(items, 'APIService').spec as {
      caBundle?: string;
      insecureSkipTLSVerify?: boolean;
    };
    assert.deepEqual(
      { caBundle, insecureSkipTLSVerify },
      {
        caBundle: undefined,
        insecureSkipTLSVerify: true,
      },
    );
  });
});

describe('forms', () => {
  test('JSON and YAML say the same', async (t) => {
    const dataDir = await temporaryDirectory(t);
    const yaml = await printed(t, { group: GROUP, dataDir });
    const json = await printed(t, { group: GROUP, dataDir, output: 'json' });
    assert.deepEqual(
      (JSON.parse(json.document) as { items: unknown }).items,
      itemsOf(yaml.document),
    );
  });

  for (const component of ['aggregator', 'cache-proxy'] as const) {
    test(`the warning of the ${component} is a comment, a note and an annotation`, async (t) => {
      const { document, notes } = await printed(t, { component });
      const warning = /can act as any user of the cluster/;
      assert.match(document.split('\n')[0] ?? '', /^# WARNING: .*can act as any user/);
      assert.match(notes.join('\n'), warning);
      const { annotations = {} } = find(itemsOf(document), 'Namespace').metadata;
      assert.match(Object.values(annotations).join(), warning);
    });
  }
});

describe('somebody’s API', () => {
  const module = (exported: string) => `
    const definition = { group: 'own.example.com', versions: ['v1'], resources: [] };
    ${exported}`;
  const cases = [
    { name: 'by its name', text: 'export const own = definition;', hash: '#own' },
    { name: 'the only one', text: 'export const own = definition;', hash: '' },
    { name: 'the default', text: 'export default definition;', hash: '#default' },
    { name: 'missing', text: 'export const own = 1;', hash: '#other', error: /nothing that is/ },
    { name: 'something else', text: 'export const own = 1;', hash: '#own', error: /is no API/ },
    { name: 'none', text: 'export const own = 1;', hash: '', error: /exports no API/ },
    {
      name: 'several',
      text: 'export const a = definition, b = definition;',
      hash: '',
      error: /several APIs \(a, b\)/,
    },
  ];
  for (const { name, text, hash, error } of cases) {
    test(name, async (t) => {
      const directory = await temporaryDirectory(t);
      const file = join(directory, 'own.mjs');
      await writeFile(file, module(text));
      const flags = { apiModule: `${file}${hash}`, image: 'own:1', dataDir: directory };
      if (error) return assert.rejects(printed(t, flags), error);
      const items = itemsOf((await printed(t, flags)).document);
      assert.equal(find(items, 'APIService').metadata.name, 'v1.own.example.com');
    });
  }
});

const refused: readonly { name: string; flags: Partial<BootstrapFlags>; words: RegExp }[] = [
  { name: 'no API', flags: {}, words: /say which API: a group \(wardle\.example\.com\)/ },
  { name: 'an unknown group', flags: { group: 'x.example.com' }, words: /not among the samples/ },
  { name: 'no such file', flags: { apiModule: '/no/such.js#a' }, words: /cannot be read/ },
  {
    name: 'a component and a group',
    flags: { group: GROUP, component: 'aggregator' },
    words: /is no API server/,
  },
  { name: 'half a pair', flags: { group: GROUP, tlsCertFile: 'a' }, words: /belong together/ },
  { name: 'a CA alone', flags: { group: GROUP, caFile: 'a' }, words: /--ca-file without a pair/ },
  {
    name: 'a directory and files',
    flags: { group: GROUP, pkiDir: 'a', tlsCertFile: 'b', tlsPrivateKeyFile: 'c' },
    words: /--pki-dir is for certificates that are made here/,
  },
  { name: 'a bad Service', flags: { group: GROUP, service: 'A' }, words: /service "A": / },
];
for (const { name, flags, words } of refused) {
  test(`${name} is refused in words`, (t) => assert.rejects(printed(t, flags), words));
}
