/** The informers of client-go behind aggregators with a fault: the checker finds each of them out. */
import { mutantSuite } from '../../test/informers/mutant-suite.ts';
import { clientGoInformer } from '../informers/client-go.ts';

mutantSuite({
  followers: [clientGoInformer({ watchList: true }), clientGoInformer({ watchList: false })],
  changes: 1000,
  connectionMs: { min: 1000, max: 4000 },
  // A reflector of client-go that was cut off early and often waits for up to a minute.
  settleMs: 75_000,
});
