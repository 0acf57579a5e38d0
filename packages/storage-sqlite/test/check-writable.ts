/** Started by tests: says what the check of a directory says. */
import { systemClock } from '@tributary/storage';
import { WritableCheck } from '../src/engine/writable.ts';

const [directory = ''] = process.argv.slice(2);
try {
  new WritableCheck(directory, systemClock).check();
  console.log('writable');
} catch (error) {
  console.log(`${error}`);
}
