import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { temporaryDirectory, writeKubeconfig } from '../../../test/harness/index.ts';
import { startTestServer } from './test-server.ts';

const PACKAGE = join(import.meta.dirname, '..');

test('the example of the README runs unchanged', async (t) => {
  const items = [
    {
      metadata: { name: 'a', namespace: 'work', labels: { color: 'green' }, resourceVersion: '1' },
    },
    { metadata: { name: 'b', namespace: 'work', resourceVersion: '2' } },
  ];
  const server = await startTestServer(t, ({ path, query }, response) => {
    assert.equal(path, '/api/v1/namespaces/work/configmaps');
    if (query.get('sendInitialEvents') === 'true') return response.send(422, 'no such thing');
    if (query.get('watch') === 'true') return response.start(200);
    const metadata = { resourceVersion: '7' };
    response.send(200, { kind: 'ConfigMapList', apiVersion: 'v1', metadata, items });
  });
  const kubeconfig = await writeKubeconfig(t, {
    server: server.url,
    ca: server.pki.ca.cert,
    user: server.pki.admin,
    namespace: 'work',
  });
  const readme = await readFile(join(PACKAGE, 'README.md'), 'utf8');
  const [, example = ''] = /```ts\n([\s\S]*?)```/.exec(readme) ?? [];
  const file = join(await temporaryDirectory(t), 'example.ts');
  const entry = JSON.stringify(join(PACKAGE, 'src', 'index.ts'));
  await writeFile(file, example.replace("'@tributary/client'", entry));
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [...process.execArgv.filter((flag) => flag.startsWith('--conditions')), file],
    { env: { ...process.env, KUBECONFIG: kubeconfig }, timeout: 30_000 },
  );
  assert.equal(stdout, "green: [ 'work/a' ]\nwork/a exists\nwork/b exists\n");
});
