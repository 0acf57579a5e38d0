/** The typed and the dynamic client of client-go see the same at both control planes, and through both aggregators. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { must } from '../../test/aggregator/gateway-program.ts';
import {
  httpsRequest,
  requireProgram,
  type TestScope,
  writeKubeconfig,
} from '../../test/harness/index.ts';
import { startWithoutControllers } from '../controllers/control-plane.ts';
import { differencesOf, formatDifferences } from '../exerciser/compare.ts';
import { EXERCISE_NAMESPACE, type Line, runExerciser } from '../exerciser/run.ts';
import { startReferenceStack } from '../stack.ts';

/** The paths of two kubeconfigs. */
interface Side {
  readonly controlPlane: string;
  /** Of the server behind it, asked directly. */
  readonly behind: string;
}

test('the clients of client-go', async (t) => {
  if ((await requireProgram(t, 'go')) === undefined) return;
  const reference = await startReference(t);
  const ours = await startOurs(t);

  await t.test('see the same of built-in kinds with the typed client', async () => {
    const expected = await runExerciser(reference.controlPlane, 'typed');
    assertComplete(expected, 8 * 55);
    assertSame(expected, await runExerciser(ours.controlPlane, 'typed'));
  });

  await t.test(
    'see the same of flunders with the dynamic client, wherever they are asked for',
    async () => {
      const expected = await runExerciser(reference.behind, 'dynamic');
      assertComplete(expected, 2 * 55);
      for (const kubeconfig of [reference.controlPlane, ours.controlPlane, ours.behind]) {
        assertSame(expected, await runExerciser(kubeconfig, 'dynamic'));
      }
    },
  );
});

async function startReference(scope: TestScope): Promise<Side> {
  const { kubeApiserver, sampleApiserver } = await startReferenceStack({ scope, aggregate: true });
  const response = await httpsRequest(`${kubeApiserver.url}/api/v1/namespaces`, {
    method: 'POST',
    body: { metadata: { name: EXERCISE_NAMESPACE } },
    ca: kubeApiserver.ca,
    ...kubeApiserver.admin,
  });
  assert.equal(response.status, 201, response.body);
  return {
    controlPlane: kubeApiserver.adminKubeconfig,
    behind: sampleApiserver.adminKubeconfig,
  };
}

/** Without controllers: the original has none either. */
async function startOurs(scope: TestScope): Promise<Side> {
  const { gateway, wardle } = await startWithoutControllers(scope);
  const namespace = { metadata: { name: EXERCISE_NAMESPACE } };
  await must(gateway.send('POST', '/api/v1/namespaces', namespace));
  const { cert, key } = gateway.credentials;
  const behind = await writeKubeconfig(scope, {
    server: `https://127.0.0.1:${wardle.port}`,
    ca: wardle.authority.cert,
    user: { cert, key },
  });
  return { controlPlane: gateway.kubeconfig, behind };
}

/** A program that stopped early would see the same everywhere. */
function assertComplete(lines: readonly Line[], stepsMin: number): void {
  assert.ok(lines.length >= stepsMin, `${lines.length} steps`);
  assert.equal(new Set(lines.map(({ step }) => step)).size, lines.length, 'each step has its name');
  const codes = new Set(lines.map(({ code }) => code));
  for (const code of [200, 201, 400, 404, 409, 422]) assert.ok(codes.has(code), String(code));
}

function assertSame(expected: readonly Line[], seen: readonly Line[]): void {
  const found = differencesOf(expected, seen);
  assert.deepEqual(found, [], formatDifferences(found));
}
