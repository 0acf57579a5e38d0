import { Command, Option } from 'commander';
import { DATA_DIR } from './pki/locations.ts';

interface DoctorFlags {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly dataDir: string;
  readonly output: 'text' | 'json';
}

/** `tributary doctor`: finds out why an API server behind the aggregator is unavailable. */
export function doctorCommand(): Command {
  return new Command('doctor')
    .description('find the broken hop to an API server, and print its fix')
    .argument('[apiservice]', 'VERSION.GROUP (default: every APIService with a Service)')
    .option(
      '--kubeconfig <file>',
      'the cluster (default: the one of the data directory, else as kubectl)',
    )
    .option('--context <name>', 'the context of the kubeconfig')
    .option(
      '--data-dir <dir>',
      'the directory whose pki/ holds the front-proxy client certificate',
      DATA_DIR,
    )
    .addOption(
      new Option('-o, --output <format>', 'the output format')
        .choices(['text', 'json'])
        .default('text'),
    )
    .showHelpAfterError()
    .addHelpText('after', HELP)
    .action(async (name: string | undefined, flags: DoctorFlags, command: Command) => {
      const { doctor } = await import('@tributary/doctor');
      const isDataDirSet = command.getOptionValueSource('dataDir') !== 'default';
      const { text, exitCode } = await doctor({
        ...flags,
        ...(name && { name }),
        isDataDirSet,
      });
      (exitCode === 2 && flags.output === 'text' ? process.stderr : process.stdout).write(text);
      process.exitCode = exitCode;
    });
}

const HELP = `
Reads APIServices, Services, EndpointSlices and the ConfigMap extension-apiserver-authentication, and sends requests to
the API servers as the aggregator does. Changes nothing. The exit code is 0 when all are healthy, 1 when one is broken, 2
when the cluster does not respond.`;
