import { Command } from 'commander';

/** `tributary up`: its flags are parsed by the server program, which also prints its help. */
export function upCommand(): Command {
  return new Command('up')
    .description('run a control plane in one process')
    .helpOption(false)
    .allowUnknownOption()
    .allowExcessArguments()
    .argument('[flags...]')
    .action(async (_flags, _options, command: Command) => {
      const { startUp } = await import('../up/start-up.ts');
      await startUp(command.args);
    });
}
