import { newestRelease } from '../harness/kubectl.ts';
import { coreSuite } from './core-suite.ts';

// The others are in interop/live/kubectl-others.test.ts.
await coreSuite(await newestRelease());
