import { requireNode } from '@tributary/server/launcher';
import { startUp } from './up/start-up.ts';

const [command, ...args] = process.argv.slice(2);

async function main(): Promise<void> {
  requireNode(import.meta.dirname); // `tributary up` comes here without a launcher
  // The server reads its flags itself, and starts without the code of all other commands.
  if (command === 'up') await startUp(args);
  else await (await import('./commands/program.ts')).program().parseAsync(process.argv);
}

main().catch((error: unknown) => {
  // An error of configuration or the network is one line; a bug has its stack.
  if (!(error instanceof Error)) throw error;
  const isBug = error instanceof TypeError || error instanceof RangeError;
  process.stderr.write(`tributary: ${isBug ? error.stack : error.message}\n`);
  process.exitCode = 1;
});
