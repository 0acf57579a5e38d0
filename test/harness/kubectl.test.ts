import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { writeKubeconfig } from './kubeconfig.ts';
import { compareVersions, type KubectlRun, kubectlVersions, parseVersion } from './kubectl.ts';
import { createPki } from './pki.ts';
import { missingMessage, requireProgram, skipOrFail } from './prerequisites.ts';
import { defer } from './scope.ts';

test('versions are parsed from every output format and compared as numbers', () => {
  assert.equal(parseVersion('{"clientVersion":{"gitVersion":"v1.32.4-dispatcher"}}'), '1.32.4');
  assert.equal(parseVersion('{\n "gitVersion": "v1.20.2"\n}'), '1.20.2');
  assert.equal(parseVersion('no JSON'), undefined);
  assert.ok(compareVersions('1.9.0', '1.20.0') < 0);
  assert.equal(compareVersions('1.20.2', '1.20.2'), 0);
});

test('several releases are available, oldest first, each once', async (t) => {
  const versions = (await kubectlVersions()).map(({ version }) => version);
  t.diagnostic(`kubectl ${versions.join(', ')}`);
  if (versions.length === 0) return skipOrFail(t, missingMessage('kubectl'));
  assert.deepEqual(versions, [...new Set(versions)].sort(compareVersions));
});

test('the release of 2020 is unpacked, not installed', async (t) => {
  if ((await requireProgram(t, 'kubectl-1.20')) === undefined) return;
  const old = (await kubectlVersions()).find(({ source }) => source === 'debian');
  assert.match(old?.version ?? '', /^1\.20\./);
});

test('a run uses the server of its kubeconfig and caches nothing', async (t) => {
  const [kubectl] = await kubectlVersions();
  if (kubectl === undefined) return skipOrFail(t, missingMessage('kubectl'));
  const pki = await createPki();
  const requested: string[] = [];
  const server = createServer({ ...pki.server }, (request, response) => {
    requested.push(request.url ?? '');
    response.setHeader('content-type', 'application/json');
    response.end('{"kind":"Echo","apiVersion":"v1"}');
  });
  defer(t, () => void server.close());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const kubeconfig = await writeKubeconfig(t, {
    server: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ca: pki.ca.cert,
    user: pki.admin,
  });
  for (let round = 0; round < 2; round += 1) {
    const result: KubectlRun = await kubectl.run(['get', '--raw', '/hello'], { kubeconfig });
    assert.equal(result.code, 0, result.stderr);
    assert.match(result.stdout, /Echo/);
  }
  assert.deepEqual(requested, ['/hello', '/hello']);
});

test('without a kubeconfig kubectl has no cluster and fails', async (t) => {
  const [kubectl] = await kubectlVersions();
  if (kubectl === undefined) return skipOrFail(t, missingMessage('kubectl'));
  const { code, stderr } = await kubectl.run(['get', '--raw', '/', '--request-timeout=1s']);
  assert.notEqual(code, 0);
  assert.match(stderr, /localhost:8080|refused|timed out/i);
});
