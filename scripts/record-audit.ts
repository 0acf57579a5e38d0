/** `npm run record:audit`: records what the original writes into its audit log for our script. */
import { writeFile } from 'node:fs/promises';
import { eventsFile, originalEvents, renderEvents } from '../interop/audit/original-events.ts';

try {
  const recorded = await originalEvents();
  await writeFile(eventsFile, renderEvents(recorded));
  const count = Object.values(recorded.events).flat().length;
  process.stdout.write(`${count} events of kube-apiserver ${recorded.version}: ${eventsFile}\n`);
} catch (error) {
  // Mostly that the programs are not built; the message says how to build them.
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
