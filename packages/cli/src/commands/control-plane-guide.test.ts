/** Runs docs/guides/control-plane.md as a reader does, and holds its lists against the program. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { walkControlPlane } from '../../../../test/walk-control-plane.ts';
import { coreFlagDefinitions } from '../../../core-server/src/program/core-flags.ts';
import { upFlags } from '../up/up-flags.ts';

const root = join(import.meta.dirname, '../../../..');
const page = await readFile(join(root, 'docs/guides/control-plane.md'), 'utf8');

test('the commands of the guide work, one after the other', (t) => walkControlPlane(t, page));

test('every flag that the guide names exists', () => {
  const flags = { ...coreFlagDefinitions('tributary up'), ...upFlags };
  const known = new Set(Object.values(flags).map(({ name }) => name));
  // Of kubectl, of other commands of ours, of extension servers, and of kube-controller-manager.
  const others = [
    'as',
    'as-group',
    'authentication-kubeconfig',
    'authorization-kubeconfig',
    'cascade',
    'disable-admission-plugins',
    'kube-api-content-type',
    'kubeconfig',
    'raw',
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
