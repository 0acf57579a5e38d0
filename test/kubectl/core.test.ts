import { newestRelease } from '../harness/kubectl.ts';
import { coreScenarios } from './core/scenarios/index.ts';
import { everydayScripts } from './core/scripts/index.ts';
import { coreSuite } from './core-suite.ts';

// The other releases are in interop/live/kubectl-others.test.ts, the other scripts in core.slow.test.ts.
await coreSuite(await newestRelease(), { scripts: everydayScripts, scenarios: coreScenarios });
