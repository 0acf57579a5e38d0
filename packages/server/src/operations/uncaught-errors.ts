import { writeSync } from 'node:fs';
import { connectionOwner } from '@tributary/client/http';
import type { Logger } from './logging/logger.ts';
import { problemLog } from './logging/problem-log.ts';
import { CounterFamily } from './metrics/family.ts';

/** Separate, because a server without this handler has the metric, too: it stays 0. */
export function uncaughtErrorsCounter(): CounterFamily {
  return new CounterFamily({
    name: 'tributary_uncaught_errors_total',
    help: 'Uncaught errors; each closed the connection that caused it',
  });
}

export interface UncaughtErrors {
  readonly counter: CounterFamily;
  /** Default: standard error. */
  logTo(log: Logger): void;
}

/**
 * Handles uncaught errors. An error whose asynchronous context belongs to a connection closes that connection only. Any
 * other ends the process with one line, so that a supervisor restarts it, because its state is unknown.
 */
export function catchUncaughtErrors(program: string): UncaughtErrors {
  const counter = uncaughtErrorsCounter();
  let log: Logger | undefined;
  const clock = { nowMs: () => performance.now() };
  const report = problemLog(clock, (text, error) => {
    const connection = connectionOwner()?.name ?? '';
    const message = 'Closed connection after an uncaught error';
    if (log === undefined) writeLine(`${program}: ${message}: ${oneLine(text)}`);
    else log.error(error, message, { connection });
  });
  process.on('uncaughtException', (error: unknown) => {
    const owner = connectionOwner();
    if (owner === undefined) exit(program, error);
    try {
      counter.with().add();
      report(error);
      owner.end(error);
    } catch (cause) {
      exit(program, cause);
    }
  });
  return {
    counter,
    logTo(given) {
      log = given;
    },
  };
}

function exit(program: string, error: unknown): never {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  writeLine(`${program}: exiting after an uncaught error: ${oneLine(text)}`);
  process.exit(1);
}

/** Synchronous: an exiting process writes nothing later. */
function writeLine(line: string): void {
  try {
    writeSync(2, `${line}\n`);
  } catch {
    // Standard error is closed, and there is no other place to write to.
  }
}

function oneLine(text: string): string {
  return text.trim().replaceAll(/\s*\n\s*/g, ' | ');
}
