import { judgeSuite } from '../differential/judge-suite.ts';
import { layoutRows } from './form-mutants.ts';
import { mutants } from './mutants.ts';
import { coreSuite } from './suite.ts';

await judgeSuite({ suite: coreSuite, mutants, layoutRows });
