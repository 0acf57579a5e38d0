/** The informers of client-go directly, through our aggregator and through the original, all at once on one server. */
import { before, describe, test } from 'node:test';
import { requireProgram, seededRandom, suiteScope } from '../../test/harness/index.ts';
import { assertConverged } from '../../test/informers/assert-converged.ts';
import { runInformers } from '../../test/informers/run.ts';
import { describeRun } from '../../test/informers/run-result.ts';
import type { Site } from '../../test/informers/site.ts';
import { isFull } from '../full.ts';
import { startSampleSite, startWardleSite } from '../informers/aggregated-sites.ts';
import { clientGoInformer } from '../informers/client-go.ts';

const CHANGES = Number(process.env.INFORMER_CHANGES ?? (isFull ? 10_000 : 2000));
const CUTS_MIN = 3;

const sites = [
  { name: 'our wardle', start: startWardleSite },
  { name: 'the Go sample-apiserver', start: startSampleSite },
];
const cases = [
  { name: 'cut off again and again', kills: 0 },
  // The server behind, our aggregator and, in a full run, the original one; then from the start again.
  {
    name: 'cut off before and behind the aggregators, and servers are killed in the middle',
    kills: isFull ? 5 : 2,
    linkLife: { min: 500, max: 2000 },
  },
];
for (const { name: server, start } of sites) {
  describe(`${server} behind both aggregators`, () => {
    const scope = suiteScope(server);
    let site: Site;
    before(async () => {
      site = await start(scope);
    });
    for (const { name, ...faults } of cases) {
      test(`informers converge over ${CHANGES} changes: ${name}`, async (t) => {
        if ((await requireProgram(t, 'go')) === undefined) return;
        const result = await runInformers(t, {
          site,
          seed: seededRandom(t).seed,
          changes: CHANGES,
          cutsMin: CUTS_MIN,
          ...faults,
          followers: [
            clientGoInformer({ watchList: true }),
            clientGoInformer({ watchList: false }),
          ],
          connectionLife: { min: 100, max: 800 },
        });
        t.diagnostic(describeRun(result));
        assertConverged(result, { cutsMin: CUTS_MIN });
      });
    }
  });
}
