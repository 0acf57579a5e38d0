import { judgeSuite } from './judge-suite.ts';
import { mutants } from './mutants.ts';
import { wardleSuite } from './suite.ts';

await judgeSuite({ suite: wardleSuite, mutants, layoutRows: ['get: indented'] });
