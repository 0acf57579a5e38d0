import { Command } from 'commander';

/** `tributary aggregator`: its flags are parsed by the server program, which also prints its help. */
export function aggregatorCommand(): Command {
  return new Command('aggregator')
    .description('run an aggregator in front of any kube-apiserver')
    .helpOption(false)
    .allowUnknownOption()
    .allowExcessArguments()
    .argument('[flags...]')
    .action(async (_flags, _options, command: Command) => {
      const { runStandalone } = await import('../standalone/run-standalone.ts');
      process.exitCode = await runStandalone({
        program: 'tributary aggregator',
        args: command.args,
        engines: { sqlite: () => import('@tributary/storage-sqlite') },
      });
    });
}
