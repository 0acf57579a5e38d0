/**
 * Runs a page of documentation as a reader does: it writes the files, runs the commands, and compares their output
 * with the page.
 *
 * A block with a file name (```ts server.ts) is that file. In a `sh` block each line is a command; in a `console`
 * block commands follow `$ `, each with its output below it.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import {
  eventually,
  type Kubectl,
  runSource,
  type StartedProcess,
  startProcess,
  type TestScope,
  temporaryDirectory,
} from './harness/index.ts';
import { NO_CONDITIONS_YET } from './no-conditions-yet.ts';

export type Block =
  | { kind: 'file'; name: string; text: string }
  | { kind: 'commands'; commands: readonly Command[] };

export interface Command {
  line: string;
  /** Both outputs of the command; absent where the page shows none. */
  output?: string;
}

export function blocksOf(page: string): Block[] {
  return [...page.matchAll(/^```(\w+)(?: (\S+))?\n([\s\S]*?)^```$/gm)].flatMap(
    ([, language, name, text = '']): Block[] => {
      if (name !== undefined) return [{ kind: 'file', name, text }];
      if (language === 'sh') return [{ kind: 'commands', commands: commandsOf(text) }];
      if (language === 'console') return [{ kind: 'commands', commands: sessionOf(text) }];
      return [];
    },
  );
}

function commandsOf(text: string): Command[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => ({ line }));
}

function sessionOf(text: string): Command[] {
  return text
    .split(/^\$ /m)
    .filter((part) => part !== '')
    .map((part) => {
      const [line = '', ...output] = part.split('\n');
      return { line, output: output.join('\n') };
    });
}

export interface Walk {
  folder: string;
  kubectl: Kubectl;
  /** Additional programs of the page, as shell scripts by name. */
  programs?: Readonly<Record<string, string>>;
  /** The server that a command starts, which runs until the end of the page; undefined for a command that ends. */
  server(line: string): { command: string; args: string[] } | undefined;
  /** Commands that the test has already run in its own way. */
  isDone(line: string): boolean;
}

export async function walk(t: TestScope, page: string, options: Walk): Promise<void> {
  const programs = await temporaryDirectory(t);
  await symlink(options.kubectl.path, join(programs, 'kubectl'));
  for (const [name, script] of Object.entries(options.programs ?? {})) {
    await writeFile(join(programs, name), script, { mode: 0o755 });
  }
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    NODE_OPTIONS: '',
    HOME: programs,
    PATH: `${programs}:${process.env.PATH}`,
  };
  let running: StartedProcess | undefined;
  for (const block of blocksOf(page)) {
    if (block.kind === 'file') {
      await writeFile(join(options.folder, block.name), block.text);
      continue;
    }
    for (const { line, output } of block.commands) {
      if (options.isDone(line)) continue;
      const server = options.server(line);
      if (server !== undefined) {
        await running?.stop();
        running = await startServer(t, server, options.folder);
      } else {
        await type({ line, ...(output !== undefined && { output }) }, { env, cwd: options.folder });
      }
    }
  }
}

/** A shell script that runs `npx tributary …` from the sources. */
export function npxTributary(): string {
  const { command, args } = runSource(join(import.meta.dirname, '../packages/cli/src/main.ts'));
  const quoted = [command, ...args].map((arg) => `'${arg}'`).join(' ');
  return `#!/bin/sh\n[ "$1" = tributary ] || exit 64\nshift\nexec ${quoted} "$@"\n`;
}

async function startServer(
  t: TestScope,
  { command, args }: { command: string; args: string[] },
  cwd: string,
): Promise<StartedProcess> {
  const name = args.map((arg) => basename(arg)).join(' ');
  const env = { NODE_OPTIONS: undefined };
  const started = await startProcess(t, { name, command, args, cwd, env });
  await started.waitForLog(/is ready at/);
  return started;
}

const COMMAND_TIMEOUT_MS = 120_000;

/** Exported variables apply to all later commands. */
async function type(
  { line, output }: Command,
  { env, cwd }: { env: NodeJS.ProcessEnv; cwd: string },
): Promise<void> {
  const [, variable, value] = /^export (\w+)=(\S+)$/.exec(line) ?? [];
  if (variable !== undefined) {
    env[variable] = value;
    return;
  }
  const args = ['-c', `{ ${line}\n} 2>&1`];
  const { stdout, status } = await eventually(`conditions for $ ${line}`, () => {
    const ended = spawnSync('bash', args, {
      cwd,
      env,
      encoding: 'utf8',
      timeout: COMMAND_TIMEOUT_MS,
    });
    return ended.stdout.includes(NO_CONDITIONS_YET) ? undefined : ended;
  });
  if (output === undefined) assert.equal(status, 0, `$ ${line}\n${stdout}`);
  else assert.equal(plain(stdout), plain(output), `$ ${line}\n${stdout}`);
}

/** Ages, column widths and empty lines are not compared. */
function plain(output: string): string {
  return output
    .split('\n')
    .map((line) =>
      line
        .trim()
        .replaceAll(/\s+/g, ' ')
        .replaceAll(/\b\d+s$/g, 'AGE'),
    )
    .filter((line) => line !== '')
    .join('\n');
}
