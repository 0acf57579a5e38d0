import { newestRelease } from '../harness/kubectl.ts';
import { otherScripts } from './core/scripts/index.ts';
import { coreSuite } from './core-suite.ts';

// The scripts that core.test.ts leaves out.
await coreSuite(await newestRelease(), { scripts: otherScripts, scenarios: [] });
