import { outerReleases } from '../harness/kubectl.ts';
import { coreSuite } from './core-suite.ts';

// Those between are in interop/live/kubectl-between.test.ts.
await coreSuite(await outerReleases());
