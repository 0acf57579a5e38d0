import { type Component, components } from '@tributary/server';
import { Command, Option } from 'commander';
import { type BootstrapFlags, bootstrap } from './bootstrap/bootstrap.ts';
import { DATA_DIR } from './pki/locations.ts';

/** `tributary bootstrap`: everything that an administrator creates so that a cluster serves an API. */
export function bootstrapCommand(): Command {
  return new Command('bootstrap')
    .description('print the manifests that install an API server, for "kubectl create -f -"')
    .argument('[group]', 'the API group of a sample, such as wardle.example.com')
    .option('--api-module <file#export>', 'a module that exports an API, as defineApi makes it')
    .addOption(componentOption())
    .option('--image <image>', 'the container image (default for samples: see docs/guides)')
    .option('--namespace <name>', 'where it runs (default: from the group, such as wardle-system)')
    .option('--service <name>', 'its Service (default: from the group, such as wardle-apiserver)')
    .option('--storage-claim <name>', 'a PersistentVolumeClaim for its objects')
    .option('--data-dir <dir>', 'the data directory', DATA_DIR)
    .option('--pki-dir <dir>', 'its CA and pair (default: <data-dir>/pki/servers/<group>)')
    .option('--tls-cert-file <file>', 'a serving certificate of your own (PEM)')
    .option('--tls-private-key-file <file>', 'its key (PEM)')
    .option('--ca-file <file>', 'who signed it (PEM), for spec.caBundle')
    .option('--omit-secret', 'leave out the Secret, which holds a private key')
    .option('--insecure-skip-tls-verify', 'let the aggregator trust whoever answers')
    .addOption(
      new Option('-o, --output <form>', 'how to write it')
        .choices(['yaml', 'json'])
        .default('yaml'),
    )
    .showHelpAfterError()
    .addHelpText('after', HELP)
    .action(async (group: string | undefined, flags: Omit<BootstrapFlags, 'group'>) => {
      const { document, notes } = await bootstrap({ ...flags, ...(group && { group }) });
      // Notes must not get into what is piped on.
      process.stderr.write(notes.map((note) => `${note}\n`).join(''));
      process.stdout.write(document);
    });
}

function componentOption(): Option {
  return new Option('--component <name>', 'a component of ours in place of an API server').choices([
    ...(components satisfies readonly Component[]),
  ]);
}

const HELP = `
Needs neither a running server nor a cluster. The CA and the serving pair are made once, in --pki-dir, and are
used again: the same command prints the same document, sorted, to be committed and audited. What is committed
is better printed with --omit-secret; the Secret alone is <pki-dir>/secret.yaml.

An administrator creates the objects, never the server itself: its account may not write registrations or roles.`;
