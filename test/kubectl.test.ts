/** kubectl of several releases against the shipped sample server, as a person uses it. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { peerPath } from '../interop/peers/peers.ts';
import {
  createScope,
  findOrInstall,
  type Kubectl,
  kubectlVersions,
  logShows,
  missingMessage,
  skipOrFail,
  startProcess,
  temporaryDirectory,
} from './harness/index.ts';

const root = join(import.meta.dirname, '..');
const versions = await kubectlVersions();

test('there is at least one kubectl', (t) => {
  if (versions.length === 0) skipOrFail(t, 'kubectl: install the package kubernetes-client');
});

test('kubectl of a middle and of the current release are built', async (t) => {
  if (peerPath('kubectl') !== undefined && peerPath('kubectl-middle') !== undefined) return;
  const hasGo = (await findOrInstall('go')) !== undefined;
  const unbuilt = 'two releases of kubectl are not built; build them with: npm run peers';
  skipOrFail(t, hasGo ? unbuilt : missingMessage('go'));
});

describe('kubectl', () => {
  const scope = createScope('kubectl');
  let kubeconfig: string;
  before(async () => {
    const directory = await temporaryDirectory(scope, 'wardle-');
    kubeconfig = join(directory, 'admin.kubeconfig');
    await startProcess(scope, {
      name: 'wardle',
      command: process.execPath,
      args: [
        join(root, 'samples/wardle/bin/wardle.js'),
        '--secure-port=0',
        `--data-dir=${directory}`,
      ],
      ready: logShows(/is ready at/),
    });
  });
  after(() => scope.close());

  for (const kubectl of versions) {
    describe(`${kubectl.version} (${kubectl.source})`, () => {
      const namespace = `v${kubectl.version.replaceAll('.', '-')}`;
      const run = (...args: string[]) => expectSuccess(kubectl, kubeconfig, args);

      test('finds the resource', async () => {
        assert.match(
          await run('api-resources'),
          /^flunders .*wardle\.example\.com.* true +Flunder$/m,
        );
      });

      test('creates, reads, lists and deletes', async () => {
        const file = join(root, 'samples/wardle/manifests/flunder.yaml');
        assert.match(
          await run('create', '-n', namespace, '-f', file),
          /flunder\.wardle\.example\.com\/my-first-flunder created/,
        );
        const json = await run('get', 'flunder', '-n', namespace, 'my-first-flunder', '-o', 'json');
        assert.equal(JSON.parse(json).spec.reference, 'another-flunder');
        assert.match(await run('get', 'flunders', '-n', namespace), /^my-first-flunder\s+\d+s$/m);
        assert.match(
          await run('get', 'flunders', '-A'),
          new RegExp(`^${namespace}\\s+my-first`, 'm'),
        );
        assert.match(
          await run('get', 'flunders', '-n', namespace, '-l', 'sample=true', '-o', 'name'),
          /my-first-flunder/,
        );
        await run('replace', '-n', namespace, '-f', file);
        await run('label', '-n', namespace, 'flunder', 'my-first-flunder', 'color=red');
        await run('annotate', '-n', namespace, 'flunder', 'my-first-flunder', 'note=seen');
        const spec = JSON.stringify({ spec: { reference: 'patched' } });
        const object = ['-n', namespace, 'flunder', 'my-first-flunder'];
        await run('patch', ...object, '--type=merge', '-p', spec);
        const operation = [{ op: 'add', path: '/metadata/labels/depth', value: '3' }];
        await run('patch', ...object, '--type=json', '-p', JSON.stringify(operation));
        const patched = JSON.parse(await run('get', ...object, '-o', 'json'));
        assert.equal(patched.spec.reference, 'patched');
        assert.deepEqual(patched.metadata.labels, { color: 'red', depth: '3', sample: 'true' });
        assert.match(
          await run('delete', '-n', namespace, 'flunder', 'my-first-flunder'),
          /"my-first-flunder" deleted/,
        );
      });

      test('applies twice, and removes what is gone from the manifest', async () => {
        const apply = async (labels: object) => {
          const input = JSON.stringify({
            apiVersion: 'wardle.example.com/v1alpha1',
            kind: 'Flunder',
            metadata: { name: 'applied', labels },
            spec: { reference: 'pond' },
          });
          const { code, stdout, stderr } = await kubectl.run(
            ['apply', '-n', namespace, '-f', '-'],
            {
              kubeconfig,
              input,
            },
          );
          assert.equal(code, 0, stderr);
          return stdout;
        };
        assert.match(await apply({ a: '1', b: '1' }), /applied created/);
        assert.match(await apply({ a: '1', b: '1' }), /applied unchanged/);
        assert.match(await apply({ a: '2' }), /applied configured/);
        const json = await run('get', 'flunder', '-n', namespace, 'applied', '-o', 'json');
        assert.deepEqual(JSON.parse(json).metadata.labels, { a: '2' });
        await run('delete', '-n', namespace, 'flunders', '--all');
        assert.equal(await run('get', 'flunders', '-n', namespace, '-o', 'name'), '');
      });

      test('explains the fields', async () => {
        assert.match(await run('explain', 'flunders.spec'), /Name of the object referred to/);
      });

      test('refuses a field that the schema does not have', async () => {
        const manifest = {
          apiVersion: 'wardle.example.com/v1alpha1',
          kind: 'Flunder',
          metadata: { name: 'typo' },
          spec: { refrence: 'x' },
        };
        const { code, stderr } = await kubectl.run(['create', '-n', namespace, '-f', '-'], {
          kubeconfig,
          input: JSON.stringify(manifest),
        });
        assert.notEqual(code, 0);
        assert.match(stderr, /unknown field "(?:spec\.)?refrence"/);
      });
    });
  }
});

async function expectSuccess(
  kubectl: Kubectl,
  kubeconfig: string,
  args: readonly string[],
): Promise<string> {
  const { code, stdout, stderr } = await kubectl.run(args, { kubeconfig });
  assert.equal(code, 0, `kubectl ${args.join(' ')}: ${stderr}`);
  return stdout;
}
