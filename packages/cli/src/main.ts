const [command, ...args] = process.argv.slice(2);

try {
  // The server reads its flags itself, and starts without the code of all other commands.
  if (command === 'up') await (await import('./commands/up-run.ts')).runUp(args);
  else await (await import('./program.ts')).program().parseAsync(process.argv);
} catch (error) {
  // What a person can do something about is said in a line; the stack is for bugs.
  if (!(error instanceof Error)) throw error;
  const isBug = error instanceof TypeError || error instanceof RangeError;
  process.stderr.write(`tributary: ${isBug ? error.stack : error.message}\n`);
  process.exitCode = 1;
}
