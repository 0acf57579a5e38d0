/** Several servers behind one group: each version from its own, one that moves, several endpoints for one, and many watches. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Authority, createScope, eventually } from '../harness/index.ts';
import {
  type Gateway,
  must,
  serverName,
  servingAuthority,
  startGateway,
  startWardle,
  type Wardle,
} from './gateway-program.ts';
import {
  APISERVICES,
  apiService,
  apiServicePath,
  availabilityOf,
  createNamespace,
  flundersPath,
  GROUP,
  publish,
  untilReason,
} from './registration-objects.ts';
import { openWatches } from './watch-crowd.ts';

const WATCHES = 1_000;
/** Enough to see where requests go from now on. */
const READS = 50;

describe('servers of one group', () => {
  const scope = createScope('servers of one group');
  let gateway: Gateway;
  let authority: Authority;
  let servers: readonly [Wardle, Wardle];
  before(async () => {
    gateway = await startGateway(scope);
    authority = servingAuthority();
    const certificateNames = ['first', 'second', 'both'].map((service) => serverName(service));
    const start = (name: string): Promise<Wardle> =>
      startWardle(scope, gateway, { name, authority, certificateNames });
    servers = [await start('first'), await start('second')];
    const [first, second] = servers;
    await createNamespace(gateway);
    await publish(gateway, [{ port: first.port }], 'first');
    await publish(gateway, [{ port: second.port }], 'second');
    await publish(gateway, [{ port: first.port }, { port: second.port }], 'both');
    // The same object in both, which says where it was read.
    for (const server of servers) {
      const labels = { server: server.process.name };
      const metadata = { name: 'where', labels };
      await must(server.send('POST', flundersPath('v1alpha1'), { metadata }));
    }
    await register('v1alpha1', 'first');
    await register('v1beta1', 'second');
  });
  after(() => scope.close());

  async function register(version: string, service: string): Promise<void> {
    const registered = apiService({ version, ca: authority.cert, service });
    await must(gateway.send('POST', APISERVICES, registered));
    await untilReason(gateway, { version, reason: 'Passed' });
  }

  async function moveTo(service: string): Promise<void> {
    const patch = { spec: { service: { name: service } } };
    const path = apiServicePath('v1alpha1');
    await must(gateway.send('PATCH', path, patch, 'application/merge-patch+json'));
  }

  /** Where a read of a version was answered. */
  async function where(version = 'v1alpha1'): Promise<string> {
    const { status, body } = await gateway.send('GET', `${flundersPath(version)}/where`);
    if (status !== 200) return `${status} ${JSON.stringify(body)}`;
    return (body as { metadata: { labels: { server: string } } }).metadata.labels.server;
  }

  /** The answers of a reader that never rests, until everything in `meanwhile` is over. */
  async function readAllTheWhile(
    meanwhile: (responses: readonly string[]) => Promise<void>,
  ): Promise<string[]> {
    const responses: string[] = [];
    let isOver = false;
    const reader = async (): Promise<void> => {
      while (!isOver) responses.push(await where().catch(String));
    };
    const readers = [reader(), reader()];
    try {
      await meanwhile(responses);
    } finally {
      isOver = true;
      await Promise.all(readers);
    }
    return responses;
  }

  async function someReads(sofar: readonly string[]): Promise<void> {
    const enough = sofar.length + READS;
    await eventually(`${READS} more reads`, () => sofar.length >= enough);
  }

  test('each version is read where it is registered', async () => {
    assert.equal(await where('v1alpha1'), 'first');
    assert.equal(await where('v1beta1'), 'second');
    const { body } = await gateway.send('GET', `/apis/${GROUP}`);
    const { versions } = body as { versions: { version: string }[] };
    assert.deepEqual(versions.map(({ version }) => version).sort(), ['v1alpha1', 'v1beta1']);
  });

  test('a version moves to another server and no read fails', async () => {
    const responses = await readAllTheWhile(async (sofar) => {
      for (const name of ['second', 'first', 'second', 'first']) {
        await moveTo(name);
        await eventually(`${name} is read`, async () => (await where()) === name);
        await someReads(sofar);
      }
    });
    assert.deepEqual([...new Set(responses)].sort(), ['first', 'second']);
    // The old server is not read once the new one has responded, but for the read under way.
    const turns = responses.filter(
      (response, index) => index > 0 && response !== responses[index - 1],
    );
    assert.ok(turns.length >= 4 && turns.length <= 12, `${turns.length} turns`);
  });

  test('a thousand watches are open, and reads and events come through', async (t) => {
    const path = `${flundersPath('v1alpha1')}?watch=true&resourceVersion=0`;
    const crowd = await openWatches(t, { ...gateway, path, count: WATCHES });
    assert.equal(await where(), 'first'); // How soon is in watch.timing.test.ts.
    await must(
      gateway.send('POST', flundersPath('v1alpha1'), { metadata: { name: 'for-everybody' } }),
    );
    await crowd.allGot('for-everybody');
    assert.equal(crowd.ended(), 0);
    assert.equal((await availabilityOf(gateway, 'v1alpha1'))?.reason, 'Passed');
  });

  test('requests go to all endpoints, and no read fails when one of them dies', async () => {
    await moveTo('both');
    const responses = await readAllTheWhile(async (sofar) => {
      const asked = (): string => `only ${sofar[0]} was asked, ${sofar.length} times`;
      await eventually(asked, () => new Set(sofar).size === 2);
      servers[1].process.kill('SIGKILL');
      await servers[1].process.exited;
      for (let round = 0; round < 4; round += 1) await someReads(sofar);
    });
    assert.deepEqual([...new Set(responses)].sort(), ['first', 'second']);
    assert.deepEqual(new Set(responses.slice(-20)), new Set(['first']));
    assert.equal((await availabilityOf(gateway, 'v1alpha1'))?.reason, 'Passed');
  });
});
