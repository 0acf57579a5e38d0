import { Command } from 'commander';
import { aggregatorCommand } from './aggregator.ts';
import { bootstrapCommand } from './bootstrap.ts';
import { doctorCommand } from './doctor.ts';
import { kubeconfigCommand } from './kubeconfig.ts';
import { pkiCommand } from './pki.ts';
import { storageCommand } from './storage.ts';
import { upCommand } from './up.ts';
import { version } from './version.ts';

/** The command line. A command is listed once it works. */
export function program(): Command {
  return new Command('tributary')
    .description('The Kubernetes API aggregation layer: many API servers, one API')
    .version(version())
    .showHelpAfterError()
    .addCommand(upCommand())
    .addCommand(aggregatorCommand())
    .addCommand(pkiCommand())
    .addCommand(kubeconfigCommand())
    .addCommand(bootstrapCommand())
    .addCommand(doctorCommand())
    .addCommand(storageCommand())
    .action((_options, command: Command) => {
      command.outputHelp();
    });
}
