import type { Logger } from '../operations/logging/logger.ts';
import type { CounterFamily } from '../operations/metrics/family.ts';
import { catchUncaughtErrors, type UncaughtErrors } from '../operations/uncaught-errors.ts';
import type { Flag } from './flag-table.ts';
import { type CommonFlags, FlagError, helpText } from './flags.ts';
import { openLog } from './operation-config.ts';
import { disablePretenuring } from './pretenuring.ts';
import { stopSignal } from './stop-signal.ts';

/** The flags that every server program has. */
type ProgramFlags = Pick<CommonFlags, 'loggingFormat' | 'v' | 'dataDir' | 'storage'>;

/** A server program in the order of its life: flags, start, ready, stop. */
export interface ServerProgram<Flags extends ProgramFlags> {
  /** As typed by the user, such as `tributary up`. */
  readonly program: string;
  /** First paragraph of `--help`. */
  readonly summary: string;
  readonly args: readonly string[];
  /** The flags that `--help` lists. */
  readonly flagTable: readonly Flag[];
  /** Throws a `FlagError` for flags that are invalid alone or together. */
  readonly parse: (args: readonly string[]) => Flags | 'help';
  /** Builds the server and opens its port. Errors with a code, such as `EADDRINUSE`, are reported without a stack. */
  readonly start: (context: ProgramContext<Flags>) => Promise<StartedServer>;
  /** Called once after the ready lines. Default: `disablePretenuring`. */
  readonly onReady?: () => void;
}

export interface ProgramContext<Flags> {
  readonly program: string;
  readonly flags: Flags;
  readonly log: Logger;
  /** For the server's metrics. */
  readonly uncaughtErrors: CounterFamily;
  /** Disposed in reverse order when the program stops or `start` rejects; disposing a server drains it. */
  readonly resources: AsyncDisposableStack;
  /** Resolves at the first SIGINT or SIGTERM. */
  readonly stopped: Promise<void>;
}

export interface StartedServer {
  readonly url: string;
  /** Resolves with lines for standard output. They are not written if the program is stopped first. */
  readonly whenReady: () => Promise<readonly string[]>;
}

/** Runs a whole server program until it is stopped, and resolves with its exit code. */
export async function runProgram<Flags extends ProgramFlags>(
  options: ServerProgram<Flags>,
): Promise<number> {
  const { program, summary, args, flagTable, parse } = options;
  try {
    const flags = parse(args);
    if (flags === 'help') {
      process.stdout.write(helpText(program, summary, flagTable));
      return 0;
    }
    await serve(flags, options, catchUncaughtErrors(program));
    return 0;
  } catch (error) {
    if (!(error instanceof FlagError) && !isSystemError(error)) throw error;
    process.stderr.write(`${program}: ${error.message}\nTry ${program} --help\n`);
    return 1;
  }
}

async function serve<Flags extends ProgramFlags>(
  flags: Flags,
  options: ServerProgram<Flags>,
  uncaught: UncaughtErrors,
): Promise<void> {
  const stopped = stopSignal();
  const log = openLog(flags);
  uncaught.logTo(log);
  const { program } = options;
  const uncaughtErrors = uncaught.counter;
  try {
    await serveUntilStopped({ program, flags, log, uncaughtErrors, stopped }, options);
    log.info('Stopped', { program });
  } finally {
    await log.flush();
  }
}

async function serveUntilStopped<Flags extends ProgramFlags>(
  given: Omit<ProgramContext<Flags>, 'resources'>,
  { start, onReady = disablePretenuring }: ServerProgram<Flags>,
): Promise<void> {
  const { program, flags, log, stopped } = given;
  await using resources = new AsyncDisposableStack();
  const { url, whenReady } = await start({ ...given, resources });
  // The engine's name alone: the rest of the value may contain a password.
  const [storage = ''] = flags.storage.split(':');
  log.info('Started', { program, url, dataDir: flags.dataDir, storage });
  const lines = await Promise.race([whenReady(), stopped]);
  if (lines) process.stdout.write(lines.map((line) => `${line}\n`).join(''));
  onReady();
  await stopped;
  log.info('Stopping', { program });
  process.stdout.write(`${program} is stopping\n`);
}

/**
 * Ends the process with one line, for a server without its store or without an object that every request needs. It could
 * only return errors, so nothing is drained; a supervisor starts it again.
 */
export function endProgram(program: string, { message }: Error): never {
  process.stderr.write(`${program}: ${message.replaceAll('\n', ' ')}; exiting\n`);
  process.exit(1);
}

/** A port in use or an unreadable file is the user's to correct, so it is reported without a stack. */
function isSystemError(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && typeof error.code === 'string';
}
