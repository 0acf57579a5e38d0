export { program } from './commands/program.ts';
