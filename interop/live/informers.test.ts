/** The informers of client-go and of two other libraries behind bad networks, all on one server of ours. */
import { test } from 'node:test';
import { requireProgram, seededRandom } from '../../test/harness/index.ts';
import { assertConverged } from '../../test/informers/assert-converged.ts';
import { clientNodeInformer } from '../../test/informers/client-node-informer.ts';
import { startDirectSite } from '../../test/informers/direct-site.ts';
import { ownInformer } from '../../test/informers/own-informer.ts';
import { runInformers } from '../../test/informers/run.ts';
import { describeRun } from '../../test/informers/run-result.ts';
import { clientGoInformer } from '../informers/client-go.ts';

const CHANGES = Number(process.env.INFORMER_CHANGES ?? 10_000);
const CUTS_MIN = 5;

const cases = [
  { name: 'cut off again and again', kills: 0 },
  { name: 'cut off, and the server is killed in the middle', kills: 2 },
];
for (const { name, kills } of cases) {
  test(`informers converge over ${CHANGES} changes: ${name}`, async (t) => {
    if ((await requireProgram(t, 'go')) === undefined) return;
    const result = await runInformers(t, {
      site: await startDirectSite(t),
      seed: seededRandom(t).seed,
      changes: CHANGES,
      cutsMin: CUTS_MIN,
      kills,
      followers: [
        clientGoInformer({ watchList: true }),
        clientGoInformer({ watchList: false }),
        clientGoInformer({ watchList: true, metadataOnly: true }),
        ownInformer({ watchList: true }),
        ownInformer({ watchList: false }),
        clientNodeInformer,
      ],
      connectionLife: { min: 50, max: 1000 },
    });
    t.diagnostic(describeRun(result));
    assertConverged(result, { cutsMin: CUTS_MIN });
  });
}
