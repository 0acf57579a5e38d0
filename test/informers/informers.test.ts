/** Informers of two libraries behind bad networks; interop/live has the same with client-go. See README.md. */
import { test } from 'node:test';
import { isFull } from '../../interop/full.ts';
import { seededRandom } from '../harness/index.ts';
import { assertConverged } from './assert-converged.ts';
import { clientNodeInformer } from './client-node-informer.ts';
import { startDirectSite } from './direct-site.ts';
import { ownInformer } from './own-informer.ts';
import { runInformers } from './run.ts';
import { describeRun } from './run-result.ts';

const CHANGES = Number(process.env.INFORMER_CHANGES ?? (isFull ? 4000 : 1000));
const CUTS_MIN = 5;

const cases = [
  { name: 'cut off again and again', kills: 0, changes: CHANGES },
  { name: 'cut off, and the server is killed in the middle', kills: 1, changes: CHANGES / 2 },
];
for (const { name, kills, changes } of cases) {
  test(`informers converge over ${changes} changes: ${name}`, async (t) => {
    const result = await runInformers(t, {
      site: await startDirectSite(t),
      seed: seededRandom(t).seed,
      changes,
      cutsMin: CUTS_MIN,
      kills,
      followers: [
        ownInformer({ watchList: true }),
        ownInformer({ watchList: false }),
        clientNodeInformer,
      ],
      connectionLife: { min: 20, max: 200 },
    });
    t.diagnostic(describeRun(result));
    assertConverged(result, { cutsMin: CUTS_MIN });
  });
}
