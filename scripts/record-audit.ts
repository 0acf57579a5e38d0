/** `npm run record:audit`: records the audit log of kube-apiserver for our script of requests. */
import { writeFile } from 'node:fs/promises';
import { eventsFile, originalEvents, renderEvents } from '../interop/audit/original-events.ts';

try {
  const recorded = await originalEvents();
  await writeFile(eventsFile, renderEvents(recorded));
  const count = Object.values(recorded.events).flat().length;
  process.stdout.write(`${count} events of kube-apiserver ${recorded.version}: ${eventsFile}\n`);
} catch (error) {
  // The usual cause is a missing program; the message says how to build it.
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
