/** Started by tests: prints the result of the check of a directory. */
import { systemClock } from '@tributary/storage';
import { WritableCheck } from '../src/engine/writable.ts';

const [directory = ''] = process.argv.slice(2);
try {
  new WritableCheck(directory, systemClock).check();
  console.log('writable');
} catch (error) {
  console.log(`${error}`);
}
