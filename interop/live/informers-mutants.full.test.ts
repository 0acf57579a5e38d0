/** The informers of client-go behind aggregators with a fault: the checker finds each of them out. */
import { mutantSuite } from '../../test/informers/mutant-suite.ts';
import { clientGoInformer } from '../informers/client-go.ts';

mutantSuite({
  followers: [clientGoInformer({ watchList: true }), clientGoInformer({ watchList: false })],
  changes: 1000,
  connectionLife: { min: 200, max: 800 },
  // A reflector of client-go that was cut off early and often waits for up to a minute.
  quietMs: 75_000,
});
