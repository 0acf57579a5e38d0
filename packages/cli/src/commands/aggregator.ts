import { Command } from 'commander';

/** `tributary aggregator`: its flags are those of a server program, which reads and explains them itself. */
export function aggregatorCommand(): Command {
  return new Command('aggregator')
    .description('run an aggregator in front of any kube-apiserver')
    .helpOption(false)
    .allowUnknownOption()
    .allowExcessArguments()
    .argument('[flags...]')
    .action(async (_flags, _options, command: Command) => {
      const { runAggregator } = await import('./aggregator-run.ts');
      await runAggregator(command.args);
    });
}
