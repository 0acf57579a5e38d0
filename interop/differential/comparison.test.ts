import { comparisonSuite } from './comparison-suite.ts';
import { mutants } from './mutants.ts';
import { wardleSuite } from './suite.ts';

await comparisonSuite({ suite: wardleSuite, mutants, layoutRows: ['get: indented'] });
