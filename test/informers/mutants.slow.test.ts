/** The checker finds faults of the aggregator. */
import { clientNodeInformer } from './client-node-informer.ts';
import { mutantSuite } from './mutant-suite.ts';
import { ownInformer } from './own-informer.ts';

mutantSuite({
  followers: [
    ownInformer({ watchList: true }),
    ownInformer({ watchList: false }),
    clientNodeInformer,
  ],
  changes: 400,
  connectionLife: { min: 50, max: 300 },
  quietMs: 3000,
});
