import { Command, Option } from 'commander';
import { type InitFlags, initCertificates } from './pki/init.ts';
import { type InspectFlags, inspectCertificates } from './pki/inspect.ts';
import { DATA_DIR, group, service } from './pki/locations.ts';
import { type RenewFlags, renewCertificates } from './pki/renew.ts';

/** `tributary pki`: every certificate that a control plane with aggregation and its extension servers need. */
export function pkiCommand(): Command {
  return new Command('pki')
    .description('make, renew and inspect certificates')
    .showHelpAfterError()
    .addCommand(initCommand())
    .addCommand(renewCommand())
    .addCommand(inspectCommand());
}

function initCommand(): Command {
  return ofServer(new Command('init'))
    .description('make what is missing or broken, and leave everything else as it is')
    .option('--name <name>', 'also serve under this DNS name; may be repeated', collect, [])
    .option('--address <ip>', 'also serve under this address; may be repeated', collect, [])
    .addHelpText('after', INIT_HELP)
    .action(async (flags: InitFlags) => print(await initCertificates(flags)));
}

function renewCommand(): Command {
  const step = new Option('--step <step>', 'with --ca: which step').choices([
    'bundle',
    'leaf',
    'drop',
  ]);
  return ofServer(new Command('renew'))
    .description('sign new leaves with the same CA, or replace the CA in three steps')
    .option('--ca', 'replace the CA: old + new are trusted while it goes on')
    .addOption(step)
    .addHelpText('after', RENEW_HELP)
    .action(async (flags: RenewFlags) => print(await renewCertificates(flags)));
}

function inspectCommand(): Command {
  const output = new Option('--output <form>', 'how to say it').choices(['table', 'json']);
  return ofServer(new Command('inspect'))
    .description('say of every certificate what it is and what is wrong with it; changes nothing')
    .addOption(output.default('table'))
    .addHelpText('after', '\nThe exit code is 1 when there is a problem.')
    .action(async (flags: InspectFlags) => {
      const { lines, problems } = await inspectCertificates(flags);
      print(lines);
      if (problems > 0) process.exitCode = 1;
    });
}

/** Without them it is about the control plane. */
function ofServer(command: Command): Command {
  return command
    .option('--data-dir <dir>', 'the data directory', DATA_DIR)
    .option('--server <group>', 'an extension server, by its API group', group)
    .option('--service <ns/name>', 'the Service of the extension server', service)
    .option('--out <dir>', 'its directory (default: <data-dir>/pki/servers/<group>)');
}

function collect(value: string, before: readonly string[]): string[] {
  return [...before, value];
}

function print(lines: readonly string[]): void {
  process.stdout.write(lines.map((line) => `${line}\n`).join(''));
}

const INIT_HELP = `
Without --server: the CAs, certificates and keys of a control plane, in <data-dir>/pki.
With --server GROUP --service NAMESPACE/NAME: the CA and the serving pair of an extension
server, as files, as a Secret (secret.yaml) and as the caBundle of its APIService.`;

const RENEW_HELP = `
With --ca, one step after the other, each safe to repeat:
  --step bundle   trust the old and the new CA (the default)
  --step leaf     sign the leaves with the new CA
  --step drop     trust the new CA alone
Each says what has to happen before the next one, so that no request fails.`;
