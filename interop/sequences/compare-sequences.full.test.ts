import { mutantSuite } from './mutant-suite.ts';
import { mutants } from './mutants.ts';

mutantSuite(mutants);
