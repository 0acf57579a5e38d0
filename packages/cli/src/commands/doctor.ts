import { Command, Option } from 'commander';
import { DATA_DIR } from './pki/locations.ts';

interface DoctorFlags {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly dataDir: string;
  readonly output: 'text' | 'json';
}

/** `tributary doctor`: why an API server behind the aggregator is unavailable. */
export function doctorCommand(): Command {
  return new Command('doctor')
    .description('say which hop to an API server is broken, and how to repair it')
    .argument('[apiservice]', 'VERSION.GROUP (default: all that other servers serve)')
    .option(
      '--kubeconfig <file>',
      'which cluster (default: the one of the data directory, else as kubectl)',
    )
    .option('--context <name>', 'of the kubeconfig')
    .option('--data-dir <dir>', 'where the certificate of the front proxy is, in pki/', DATA_DIR)
    .addOption(
      new Option('-o, --output <form>', 'how to say it').choices(['text', 'json']).default('text'),
    )
    .showHelpAfterError()
    .addHelpText('after', HELP)
    .action(async (name: string | undefined, flags: DoctorFlags, command: Command) => {
      const { doctor } = await import('@tributary/aggregator');
      const isDataDirGiven = command.getOptionValueSource('dataDir') !== 'default';
      const { text, exitCode } = await doctor({ ...flags, ...(name && { name }), isDataDirGiven });
      (exitCode === 2 && flags.output === 'text' ? process.stderr : process.stdout).write(text);
      process.exitCode = exitCode;
    });
}

const HELP = `
It reads alone: APIServices, Services, EndpointSlices and the ConfigMap of trust; and it asks the servers as the
aggregator does. The exit code is 0 when all is well, 1 when something is broken, 2 when nobody could be asked.`;
