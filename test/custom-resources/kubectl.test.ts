/** kubectl, unmodified, and custom resources of operators' size: defined, looked at, explained, scaled and deleted. */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { operatorDefinition, operatorKinds } from '../../interop/custom-resources/operator-set.ts';
import {
  anyKubectl,
  createScope,
  eventually,
  type Kubectl,
  logShows,
  runSource,
  startProcess,
  temporaryDirectory,
} from '../harness/index.ts';
import { skipOrFail } from '../harness/prerequisites.ts';
import { NO_CONDITIONS_YET } from '../no-conditions-yet.ts';

const root = join(import.meta.dirname, '..', '..');
const GROUP = 'fleet.example.com';
const kubectl: Kubectl | undefined = await anyKubectl();

/** In order: each continues where the one before has ended. */
describe('kubectl and custom resources', { concurrency: 1 }, () => {
  const scope = createScope('kubectl and custom resources');
  let kubeconfig = '';
  let home = '';
  let files: readonly string[] = [];

  const run = async (...args: readonly string[]) => {
    assert.ok(kubectl);
    return await kubectl.run(args, { kubeconfig, home });
  };
  const done = async (...args: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await eventually(`kubectl ${args.join(' ')}`, async () => {
      const ended = await run(...args);
      return ended.stderr.includes(NO_CONDITIONS_YET) ? undefined : ended;
    });
    assert.equal(code, 0, `kubectl ${args.join(' ')}: ${stderr}`);
    return stdout;
  };

  before(async () => {
    if (kubectl === undefined) return;
    const directory = await temporaryDirectory(scope, 'up-');
    home = await temporaryDirectory(scope, 'kubectl-');
    kubeconfig = join(directory, 'admin.kubeconfig');
    await startProcess(scope, {
      name: 'tributary up',
      ...runSource(join(root, 'packages/cli/src/main.ts'), [
        'up',
        '--sample=none',
        '--secure-port=0',
        `--data-dir=${directory}`,
      ]),
      ready: logShows(/is ready at/),
    });
    files = await Promise.all(
      operatorKinds.map(async (one) => {
        const file = join(home, `${one.plural}.json`);
        await writeFile(file, JSON.stringify(operatorDefinition(one, GROUP)));
        return file;
      }),
    );
  });
  after(() => scope.close());

  const step = (name: string, body: () => Promise<void>) =>
    test(name, async (t) => {
      if (kubectl === undefined) return skipOrFail(t, 'there is no kubectl');
      await body();
    });

  step('definitions of several hundred kilobytes are created and applied', async () => {
    const [first = '', ...others] = files;
    await done('create', '-f', first);
    for (const file of others) await done('apply', '--server-side', '-f', file);
    for (const { plural } of operatorKinds) {
      await done('wait', '--for=condition=Established', `crd/${plural}.${GROUP}`, '--timeout=20s');
    }
    assert.match(await done('get', 'crd'), /fleetissuers\.fleet\.example\.com/);
  });

  step('they are found, by all of their names', async () => {
    const offered = await done('api-resources', `--api-group=${GROUP}`, '--no-headers');
    assert.deepEqual(
      offered
        .trim()
        .split('\n')
        .map((line) => line.trim().split(/\s+/).join(' ')),
      [
        `fleetissuers fi ${GROUP}/v1 true FleetIssuer`,
        `fleetmonitors fm ${GROUP}/v1 true FleetMonitor`,
        `fleetroutes fr,froute ${GROUP}/v1 true FleetRoute`,
      ],
    );
  });

  step('objects are created, and what their schemas do not know is refused', async () => {
    for (const { kind, plural, example } of operatorKinds) {
      const file = join(home, `${plural}-a.json`);
      const object = { apiVersion: `${GROUP}/v1`, kind, metadata: { name: 'a' }, ...example };
      await writeFile(file, JSON.stringify(object));
      const refused = await run('create', '-f', file);
      if (plural === 'fleetroutes') assert.equal(refused.code, 0, refused.stderr);
      else assert.match(refused.stderr, /unknown field "spec\./);
      await done('apply', '--validate=false', '-f', file);
    }
    assert.match(await done('get', 'fm', 'a', '-o', 'jsonpath={.spec.retention}'), /^24h$/);
  });

  step('they are shown with their columns, and among all', async () => {
    assert.match(
      await done('get', 'fm'),
      /^NAME +DESIRED +READY +RECONCILED +AVAILABLE +AGE\na +2 /,
    );
    assert.match(await done('get', 'fm', '-o', 'wide'), /RETENTION +PAUSED +AGE\na .*24h +false/);
    const all = await done('get', 'all');
    for (const name of ['fleetmonitor', 'fleetissuer', 'fleetroute']) {
      assert.match(all, new RegExp(`^${name}\\.fleet\\.example\\.com/a `, 'm'));
    }
    assert.match(await done('get', 'fleet', '-o', 'name'), /fleetroute\.fleet\.example\.com\/a/);
  });

  step('they are explained', async () => {
    const reported = await done('explain', 'fleetmonitors.spec.template.spec.containers.ports');
    assert.match(reported, /KIND: +FleetMonitor/);
    assert.match(reported, /containerPort\t?\s*<integer>/);
  });

  step('they are scaled and patched', async () => {
    await done('scale', 'fm/a', '--replicas=3');
    assert.equal(await done('get', 'fm', 'a', '-o', 'jsonpath={.spec.replicas}'), '3');
    const rejected = await run(
      'patch',
      'fm',
      'a',
      '--type=merge',
      '-p',
      '{"spec":{"replicas":99}}',
    );
    assert.match(rejected.stderr, /more than ten replicas need shards/);
  });

  step('roles decide about them', async () => {
    await done('create', 'role', 'r', '--verb=get', `--resource=fleetmonitors.${GROUP}`);
    await done('create', 'rolebinding', 'r', '--role=r', '--user=bob');
    assert.equal(await done('auth', 'can-i', 'get', 'fm/a', '--as=bob'), 'yes\n');
    assert.equal((await run('auth', 'can-i', 'delete', 'fm/a', '--as=bob')).stdout, 'no\n');
  });

  step('a namespace takes its custom resources along', async () => {
    await done('create', 'namespace', 'short');
    const object = { apiVersion: `${GROUP}/v1`, kind: 'FleetRoute', metadata: { name: 'b' } };
    const file = join(home, 'b.json');
    await writeFile(file, JSON.stringify(object));
    await done('create', '-n', 'short', '-f', file);
    await done('delete', 'namespace', 'short', '--timeout=30s');
    assert.equal((await done('get', 'fr', '-A', '-o', 'name')).trim(), `fleetroute.${GROUP}/a`);
  });

  step('definitions go, and their objects with them', async () => {
    const names = operatorKinds.map(({ plural }) => `${plural}.${GROUP}`);
    await done('delete', 'crd', ...names, '--timeout=30s');
    assert.notEqual((await run('get', 'fm')).code, 0);
    await done('create', '-f', files[0] ?? '');
    await done(
      'wait',
      '--for=condition=Established',
      `crd/fleetmonitors.${GROUP}`,
      '--timeout=20s',
    );
    assert.equal(await done('get', 'fm', '-A', '-o', 'name'), '');
  });
});
