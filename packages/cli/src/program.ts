import { Command } from 'commander';
import { version } from './version.ts';

/** The command line. A command is listed once it works. */
export function program(): Command {
  return new Command('tributary')
    .description('The Kubernetes API aggregation layer: many API servers, one API')
    .version(version())
    .showHelpAfterError()
    .action((_options, command: Command) => {
      command.outputHelp();
    });
}
