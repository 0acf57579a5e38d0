import { join } from 'node:path';
import { Command } from 'commander';
import { type KubeconfigFlags, makeKubeconfig } from './kubeconfig/make-kubeconfig.ts';
import { writePrivateFile } from './kubeconfig/private-file.ts';
import { DATA_DIR, namespacedName } from './pki/locations.ts';

/** `tributary kubeconfig`: credentials for the administrator, a user or a service account. */
export function kubeconfigCommand(): Command {
  return new Command('kubeconfig')
    .description('print a kubeconfig: of the administrator, of a user, or of a service account')
    .showHelpAfterError()
    .option('--data-dir <dir>', 'the data directory', DATA_DIR)
    .option('--user <name>', 'a client certificate for this user')
    .option('--group <name>', 'with --user: a group of the user; may be repeated', collect, [])
    .option('--service-account <ns/name>', 'a token from the running server', namespacedName)
    .option('--duration <time>', 'how long it is good, as in 8h (default: 8760h, a token 1h)')
    .option('--server <url>', 'where the server is (default: as in <data-dir>/admin.kubeconfig)')
    .option('--namespace <name>', 'of the context', 'default')
    .option('--output <file>', 'write it there instead, readable for you alone')
    .addHelpText('after', HELP)
    .action(async (flags: KubeconfigFlags & { output?: string }) => {
      const text = await makeKubeconfig(flags);
      if (flags.output === undefined) process.stdout.write(text);
      else await writePrivateFile(join(flags.output), text);
    });
}

function collect(value: string, before: readonly string[]): string[] {
  return [...before, value];
}

const HELP = `
A client certificate cannot be taken back before it ends: give --duration to whoever needs it for
a short time. A token ends with its service account.`;
