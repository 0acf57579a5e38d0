/** A server behind the aggregator breaks in every way that there is, and only its own users notice. */
import assert from 'node:assert/strict';
import { before, describe, type TestContext, test } from 'node:test';
import { peerPath } from '../../interop/peers/peers.ts';
import { createScope, defer, eventually, httpsRequest, suiteScope } from '../harness/index.ts';
import { newestRelease } from '../harness/kubectl.ts';
import { crowd, ordinaryUser } from './fault-crowd.ts';
import { createGateway } from './fault-gateway.ts';
import { figuresOf, inFlightAt } from './fault-metrics.ts';
import {
  completeDocuments,
  createUnrelated,
  deleteUnrelated,
  readDocuments,
  readNeighbours,
  worksWithHelm,
  worksWithKubectl,
} from './fault-neighbours.ts';
import { type ServerFault, serverFaults, untilReasonReported, untilServed } from './fault-table.ts';
import { createFaultyWardle, type FaultyWardle, registerFaultyWardle } from './fault-wardle.ts';
import { type Gateway, must } from './gateway-program.ts';
import { availabilityOf, flundersPath, GROUP } from './registration-objects.ts';

/** How long others wait, and with which releases of kubectl, is in blast-radius.timing.test.ts. */
const GRACE = '--namespace-deletion-grace=100ms';
/** A level borrows the seats of others: a crowd is more than all of them, and less than one server may have. */
const SEATS = ['--max-requests-inflight=100', '--max-mutating-requests-inflight=50'];
const CROWD = 350;
const CROWD_ROUNDS = 5;
const API_SERVICE = `v1alpha1.${GROUP}`;
const helm = peerPath('helm');
const kubectls = await newestRelease();

describe('the blast radius of a server', () => {
  const scope = suiteScope('the blast radius of a server');
  let gateway: Gateway;
  let wardle: FaultyWardle;
  let documents: readonly string[];
  before(async () => {
    const restarted = await createGateway(scope, [GRACE, ...SEATS]);
    await restarted.start();
    gateway = restarted.current;
    wardle = await createFaultyWardle(scope, gateway);
    await wardle.start();
    await registerFaultyWardle(gateway, wardle);
    await must(gateway.send('POST', flundersPath('v1alpha1'), { metadata: { name: 'mine' } }));
    documents = await completeDocuments(gateway);
  });

  for (const fault of serverFaults) {
    test(fault.name, async (t) => {
      await fault.breaks(wardle);
      let isRepaired = false;
      defer(t, async () => {
        // One that failed must not be the reason why the next one fails.
        if (isRepaired) return;
        await wardle.start();
        await untilServed(gateway);
      });
      // The fault ends before the server is repaired, so only its own users wait for it.
      await readNeighbours(gateway, goesOn(t, fault));
      await fault.repairs(wardle);
      isRepaired = true;
      await untilServed(gateway);
      const { status } = await gateway.send('GET', `${flundersPath('v1alpha1')}/mine`);
      assert.equal(status, 200);
    });
  }

  /** Everything that others do, while the server's own users ask for it. */
  async function goesOn(t: TestContext, fault: ServerFault): Promise<void> {
    const index = serverFaults.indexOf(fault);
    await Promise.all([
      fault.message === undefined ? undefined : untilReasonReported(gateway, fault),
      ...kubectls.map((kubectl) => worksWithKubectl(kubectl, gateway)),
      helm && worksWithHelm(t, helm, { gateway, release: `release-${index}` }),
    ]);
    assert.deepEqual(await readDocuments(gateway), documents);
    await createUnrelated(gateway, `unrelated-${index}`);
    await deleteUnrelated(gateway, `unrelated-${index}`);
  }

  test(`frozen, and ${CROWD} requests of ordinary users wait for it`, async (t) => {
    const [waiting, neighbour] = [
      await ordinaryUser(gateway, 'waiting'),
      await ordinaryUser(gateway, 'neighbour'),
    ];
    defer(t, () => wardle.signal('SIGCONT'));
    // They wait for as long as the gateway waits for a server, which a pause of the machine may use up.
    for (let round = 0; round < CROWD_ROUNDS; round += 1) {
      if (await readBesideCrowd(waiting, neighbour)) return;
    }
    assert.fail('a neighbour was never read while the crowd waited');
  });

  /** Whether the whole crowd still waits when a neighbour has been served. */
  async function readBesideCrowd(waiting: string, neighbour: string): Promise<boolean> {
    await using scope = createScope('a crowd');
    const { ca } = gateway.credentials;
    const flunders = flundersPath('v1alpha1');
    const read = async (path: string, token: string): Promise<void> => {
      const { status } = await httpsRequest(gateway.url + path, { ca, token });
      assert.equal(status, 200, path);
    };
    await read(flunders, waiting); // The gateway and the server know the user.
    wardle.signal('SIGSTOP');
    crowd(scope, gateway, { token: waiting, path: flunders, count: CROWD });
    const inFlight = async () => inFlightAt(await figuresOf(gateway), API_SERVICE);
    const hasCome = await eventually('the crowd waits', async () => {
      if ((await inFlight()) >= CROWD) return { all: true };
      const availability = await availabilityOf(gateway, 'v1alpha1');
      return availability?.status === 'False' && { all: false }; // given up before all have come
    });
    await read('/api/v1/namespaces/default/configmaps', neighbour);
    const doesWait = hasCome.all && (await inFlight()) >= CROWD;
    wardle.signal('SIGCONT');
    await untilServed(gateway);
    return doesWait;
  }
});
