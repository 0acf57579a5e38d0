import { program } from './program.ts';

try {
  await program().parseAsync(process.argv);
} catch (error) {
  // What a person can do something about is said in a line; the stack is for bugs.
  if (!(error instanceof Error)) throw error;
  const isBug = error instanceof TypeError || error instanceof RangeError;
  process.stderr.write(`tributary: ${isBug ? error.stack : error.message}\n`);
  process.exitCode = 1;
}
