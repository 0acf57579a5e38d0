/** The Go sample-apiserver behind `tributary up`: one of them with all that behindSuite asks, and three of them. */
import { after, before, describe, type TestContext, test } from 'node:test';
import {
  createScope,
  findOrInstall,
  kubectlVersions,
  missingMessage,
  skipOrFail,
} from '../../test/harness/index.ts';
import { goReplicasBehindUs, goSampleBehindUs, type Replicas } from '../behind/go-behind-us.ts';
import { enforcesWhatIsStored } from '../behind/go-behind-us-admission.ts';
import {
  spreadsRequests,
  survivesADeath,
  takesBackWhoReturns,
} from '../behind/go-behind-us-replicas.ts';
import { behindSuite, type Unlike } from '../behind/suite.ts';

const COLUMNS =
  'the Go sample shows when a Flunder was created, and nothing else, and has no short names';
const unlike: Unlike = {
  'get -o of every kind': COLUMNS,
  'get as a person looks at it': COLUMNS,
  'both versions of a Flunder': COLUMNS,
  'get -w': COLUMNS,
  'get -w --output-watch-events': COLUMNS,
  diff: 'the Go sample speaks of Go types where a value has the wrong type',
};

await behindSuite('the Go sample behind tributary up', goSampleBehindUs, unlike);

const [kubectl] = (await kubectlVersions()).slice(-1);
const hasGo = (await findOrInstall('go')) !== undefined;

describe('three Go samples behind one Service of tributary up', () => {
  const scope = createScope('three Go samples');
  let replicas: Replicas | undefined;
  before(async () => {
    if (kubectl === undefined || !hasGo) return;
    const addresses = ['127.0.0.1', '127.0.0.2', '127.0.0.3'];
    replicas = await goReplicasBehindUs(scope, { kubectl, addresses });
  });
  after(() => scope.close());

  const cases: Readonly<Record<string, (t: TestContext, replicas: Replicas) => Promise<void>>> = {
    'requests go to all of them': (_, all) => spreadsRequests(all),
    'one is killed: no read fails, and watches move on': survivesADeath,
    'one that returns is asked again': (_, all) => takesBackWhoReturns(all),
    'policies and webhooks that are stored here are kept to there': (t, { site }) =>
      enforcesWhatIsStored(t, site),
  };
  for (const [name, check] of Object.entries(cases)) {
    test(name, async (t) => {
      if (replicas === undefined) return skipOrFail(t, missingMessage(hasGo ? 'kubectl' : 'go'));
      await check(t, replicas);
    });
  }
});
