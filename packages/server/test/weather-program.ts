/** A whole program as an author would write it, for tests of what its flags do. */
import { runServer } from '../src/index.ts';
import { weather } from './server-fixture.ts';

process.exitCode = await runServer(weather, {
  program: 'weather',
  summary: 'Serves forecasts.',
  args: process.argv.slice(2),
});
