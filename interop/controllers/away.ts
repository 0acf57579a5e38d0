/** A controller manager that starts while a server behind the aggregator is away. */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { conditionsOf, untilReason } from '../../test/aggregator/registration-objects.ts';
import { eventually } from '../../test/harness/index.ts';
import {
  type ControlPlane,
  startRealControllers,
  startWithoutControllers,
} from './control-plane.ts';
import {
  collectionPath,
  configMap,
  flunder,
  make,
  makeNamespace,
  NAMESPACES,
  namesIn,
  read,
  remove,
  secret,
  untilGone,
} from './objects.ts';

export interface AwayOptions {
  /** How the server goes. */
  readonly signal: 'SIGKILL' | 'SIGSTOP';
  /** Of `tributary up`. */
  readonly flags?: readonly string[];
  /** Within what the new controller manager must have collected. */
  readonly collectedWithinMs: number;
  /** The condition of a terminating namespace that names the reason. */
  readonly namespaceSays: { readonly type: string; readonly message: RegExp };
}

const UNAVAILABLE_MS = 60_000;
const AVAILABLE_MS = 60_000;
/** The pauses between two attempts of the real ones double up to a minute. */
const RETRIED_MS = 120_000;

export async function restartedWhileAway(t: TestContext, options: AwayOptions): Promise<void> {
  const plane = await startWithoutControllers(t, options.flags);
  const { gateway } = plane;
  const first = await startRealControllers(t, gateway);
  const namespace = 'default';
  const onServer = await make(gateway, flunder, { namespace, name: 'owner' });
  const owned = await make(gateway, configMap, { namespace, name: 'owned', owner: onServer });

  await leave(plane, options.signal);
  first.kill('SIGKILL');
  await first.stop();
  const owner = await make(gateway, configMap, { namespace, name: 'local-owner' });
  const dependent = await make(gateway, secret, { namespace, name: 'dependent', owner });
  await remove(gateway, owner.path);
  await makeNamespace(gateway, 'deleted');
  await make(gateway, configMap, { namespace: 'deleted', name: 'content' });
  await remove(gateway, `${NAMESPACES}/deleted`);
  await makeNamespace(gateway, 'made');

  const beganMs = performance.now();
  await startRealControllers(t, gateway);
  await untilGone(gateway, dependent.path, options.collectedWithinMs);
  t.diagnostic(`collected after ${Math.round(performance.now() - beganMs)} ms`);
  await eventually('default exists', () =>
    read(gateway, `${NAMESPACES}/made/serviceaccounts/default`),
  );
  t.diagnostic(`the namespace says: ${await isEmptiedAndStays(plane, options.namespaceSays)}`);
  // The existence of its owner is unknown now; a guess would lose the object.
  assert.ok(await read(gateway, owned.path), 'what an object of the server owns is there');

  await comeBack(plane, options.signal);
  const backMs = performance.now();
  await untilReason(gateway, { version: 'v1alpha1', reason: 'Passed', withinMs: AVAILABLE_MS });
  assert.ok(await read(gateway, owned.path), 'what an object of the server owns is still there');
  await remove(gateway, onServer.path);
  await untilGone(gateway, `${NAMESPACES}/deleted`, RETRIED_MS);
  t.diagnostic(`the namespace went ${Math.round(performance.now() - backMs)} ms after its return`);
  await untilGone(gateway, owned.path, RETRIED_MS);
  t.diagnostic(`all was done ${Math.round(performance.now() - backMs)} ms after its return`);
}

async function leave(
  { gateway, wardle }: ControlPlane,
  signal: AwayOptions['signal'],
): Promise<void> {
  if (signal === 'SIGKILL') await wardle.kill();
  else wardle.signal(signal);
  const reason = 'FailedDiscoveryCheck';
  for (const version of ['v1alpha1', 'v1beta1']) {
    await untilReason(gateway, { version, reason, withinMs: UNAVAILABLE_MS });
  }
}

async function comeBack({ wardle }: ControlPlane, signal: AwayOptions['signal']): Promise<void> {
  if (signal === 'SIGKILL') await wardle.start();
  else wardle.signal('SIGCONT');
}

async function isEmptiedAndStays(
  { gateway }: ControlPlane,
  says: AwayOptions['namespaceSays'],
): Promise<string> {
  const contents = collectionPath(configMap, 'deleted');
  await eventually('it is empty', async () => (await namesIn(gateway, contents)).length === 0);
  const said = await eventually('it says why it stays', async () => {
    const { body } = await gateway.send('GET', `${NAMESPACES}/deleted`);
    return conditionsOf(body).find(({ type, status }) => type === says.type && status === 'True');
  });
  const { message = '' } = said;
  assert.match(message, says.message);
  return message;
}
