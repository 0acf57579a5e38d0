/** Tests of an extension server behind an aggregator; each side is ours or the original. */
import { after, before, describe, test } from 'node:test';
import {
  createScope,
  findOrInstall,
  type Kubectl,
  kubectlVersions,
  missingMessage,
  skipOrFail,
  type TestScope,
} from '../../test/harness/index.ts';
import { knows } from '../../test/kubectl/play.ts';
import { asksForRights } from './authorization.ts';
import { keepsIdentities } from './identity.ts';
import { playsBehind, scenariosBehind } from './kubectl.ts';
import { emptiesNamespaces } from './namespaces.ts';
import { survivesRestarts } from './restart.ts';
import { rotatesCertificates } from './rotation.ts';
import type { Site } from './site.ts';
import { upgradesConnections } from './upgrade.ts';

/** Most of a run is kubectl computing. */
const CONCURRENCY = 4;

/** How an original differs from what the scenarios of kubectl are written for: their names, and why. */
export type Unlike = Readonly<Record<string, string>>;

export async function behindSuite(
  name: string,
  start: (scope: TestScope, kubectl: Kubectl) => Promise<Site>,
  unlike: Unlike = {},
): Promise<void> {
  const versions = await kubectlVersions();
  const newest = versions.at(-1);
  const hasGo = (await findOrInstall('go')) !== undefined;
  if (newest === undefined || !hasGo) {
    test(name, (t) => skipOrFail(t, missingMessage(hasGo ? 'kubectl' : 'go')));
    return;
  }

  describe(name, () => {
    const scope = createScope(name);
    let site: Site;
    before(async () => {
      site = await start(scope, newest);
    });
    after(() => scope.close());

    describe('kubectl', { concurrency: CONCURRENCY }, () => {
      const scenarios = scenariosBehind().filter((one) => unlike[one.name] === undefined);
      for (const scenario of scenarios) {
        for (const kubectl of versions.filter((one) => knows(one, scenario))) {
          test(`${kubectl.version}: ${scenario.name}`, (t) =>
            playsBehind(t, site, { kubectl, scenario }));
        }
      }
    });
    test('users keep their groups, uids and extras', () => keepsIdentities(site));
    test('the control plane decides who may do what', () => asksForRights(site));
    test('connections are upgraded', () => upgradesConnections(site));
    test('certificates and their CA are replaced under readers', () => rotatesCertificates(site));
    test('killed and started again, under informers', (t) => survivesRestarts(t, site));
    test('namespaces take their Flunders with them', () => emptiesNamespaces(site));
  });
}
