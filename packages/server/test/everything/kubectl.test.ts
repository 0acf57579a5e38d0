/** kubectl, of every release at hand, with the API that has one of everything, on a test server's port. */
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { compareVersions, kubectlVersions } from '../../../../test/harness/kubectl.ts';
import { missingMessage, skipOrFail } from '../../../../test/harness/prerequisites.ts';
import { temporaryDirectory } from '../../../../test/harness/temporary.ts';
import { Widget } from '../everything-api.ts';
import { GROUP, startEverything } from './fixture.ts';

const manifest = JSON.stringify({
  apiVersion: `${GROUP}/v1`,
  kind: 'Widget',
  metadata: { name: 'a' },
  spec: { colour: 'green', parts: [{ name: 'p', weight: 1.5 }] },
});

/** Flags of later releases. */
const SUBRESOURCE_SINCE = '1.24.0';

test('kubectl works with every part of it', async (t) => {
  const releases = await kubectlVersions();
  if (releases.length === 0) return skipOrFail(t, missingMessage('kubectl'));
  const server = await startEverything(t);
  const { kubeconfig: text } = await server.listen();
  const directory = await temporaryDirectory(t);
  const kubeconfig = join(directory, 'kubeconfig');
  await writeFile(kubeconfig, text);
  for (const { version, run } of releases) {
    await t.test(`kubectl ${version}`, async () => {
      await server.reset();
      const home = join(directory, version);
      await mkdir(home);
      const kubectl = async (args: readonly string[], input?: string): Promise<string> => {
        const options = { kubeconfig, home, ...(input !== undefined && { input }) };
        const { code, stdout, stderr } = await run(args, options);
        assert.equal(code, 0, `${args.join(' ')}: ${stderr}`);
        return stdout;
      };
      assert.match(await kubectl(['api-resources', '--no-headers']), /^widgets +wd,wdg /m);
      await kubectl(['apply', '-f', '-'], manifest);
      await server.clock.advance(120_000);
      assert.match(await kubectl(['get', 'wd', '--no-headers']), /^a +green +1 +\S* *2m\s*$/);
      assert.match(
        await kubectl(['get', `widgets.v1beta1.${GROUP}`, '-o', 'name']),
        /widget\.\S+\/a/,
      );
      await kubectl(['scale', 'wd/a', '--replicas=4']);
      const patch = JSON.stringify({ spec: { tags: ['x'] } });
      await kubectl(['patch', 'wd', 'a', '--type=merge', '-p', patch]);
      if (compareVersions(version, SUBRESOURCE_SINCE) >= 0) {
        const status = JSON.stringify({ status: { replicas: 3 } });
        const onStatus = ['--subresource=status', '--type=merge', '-p', status];
        await kubectl(['patch', 'wd', 'a', ...onStatus]);
        const scale = await kubectl(['get', 'wd', 'a', '--subresource=scale', '--no-headers']);
        assert.match(scale, /^a +4 +3 +2m\s*$/);
      }
      const { spec } = await server.client(Widget).get('a');
      assert.deepEqual([spec.replicas, spec.tags], [4, ['x']]);
      assert.match(
        await kubectl(['get', 'wd', '--field-selector=spec.colour=green', '-o', 'name']),
        /\/a/,
      );
      assert.match(await kubectl(['explain', 'widgets.spec.parts']), /Merged by name/);
      await kubectl(['delete', 'wd', 'a']);
      assert.deepEqual((await server.client(Widget).list()).items, []);
      assert.deepEqual(server.bugs, []);
    });
  }
});
