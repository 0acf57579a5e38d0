/** Runs docs/guides/control-plane.md as a reader does, and holds its lists against the program. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { gatewayFlags } from '@tributary/aggregator';
import {
  anyKubectl,
  missingMessage,
  runSource,
  skipOrFail,
  temporaryDirectory,
} from '../../../../test/harness/index.ts';
import { npxTributary, walk } from '../../../../test/walkthrough.ts';
import { coreFlagDefinitions } from '../../../core-server/src/program/core-flags.ts';

const root = join(import.meta.dirname, '../../../..');
const page = await readFile(join(root, 'docs/guides/control-plane.md'), 'utf8');

test('the commands of the guide work, one after the other', async (t) => {
  const kubectl = await anyKubectl();
  if (kubectl === undefined) return skipOrFail(t, missingMessage('kubectl'));
  const { command, args } = runSource(join(root, 'packages/cli/src/main.ts'));
  await walk(t, page, {
    folder: await temporaryDirectory(t),
    kubectl,
    programs: { npx: npxTributary() },
    isDone: () => false,
    server: (line) =>
      line === 'npx tributary up'
        ? { command, args: [...args, 'up', '--secure-port=0'] }
        : undefined,
  });
});

test('every flag that the guide names exists', () => {
  const flags = { ...coreFlagDefinitions('tributary up'), ...gatewayFlags };
  const known = new Set(Object.values(flags).map(({ name }) => name));
  // Of kubectl, of other commands of ours, of extension servers, and of kube-controller-manager.
  const others = [
    'as',
    'as-group',
    'authentication-kubeconfig',
    'authorization-kubeconfig',
    'disable-admission-plugins',
    'kube-api-content-type',
    'kubeconfig',
    'service-account-private-key-file',
    'use-service-account-credentials',
  ];
  const named = new Set(
    [...page.replaceAll(/^```(?:sh|console)[\s\S]*?^```$/gm, '').matchAll(/--([a-z][a-z-]+)/g)].map(
      ([, name = '']) => name,
    ),
  );
  assert.ok(named.size >= 15);
  assert.deepEqual(
    [...named].filter((name) => !known.has(name) && !others.includes(name)),
    [],
  );
});
