import { comparisonSuite } from '../differential/comparison-suite.ts';
import { layoutRows } from './form-mutants.ts';
import { mutants } from './mutants.ts';
import { coreSuite } from './suite.ts';

await comparisonSuite({ suite: coreSuite, mutants, layoutRows });
