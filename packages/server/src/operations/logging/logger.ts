import { jsonLine } from './json-line.ts';
import type { LineWriter } from './line-writer.ts';
import type { LogEntry, LogFields } from './log-entry.ts';
import { textLine } from './text-line.ts';

/** The log of the server. Writing never waits; lines beyond the buffer are dropped and counted. */
export interface Logger {
  /** As klog's -v: 0 is for every operator, higher numbers are for debugging. */
  readonly verbosity: number;
  info(message: string, fields?: LogFields): void;
  /** Logged only if the verbosity is at least this. */
  verbose(level: number, message: string, fields?: LogFields): void;
  error(problem: unknown, message: string, fields?: LogFields): void;
  readonly linesDropped: number;
  /** When a line was last written, or there was none to write. */
  readonly movedMs: number;
  flush(): Promise<void>;
  close(): Promise<void>;
}

export type LogFormat = 'text' | 'json';

interface LoggerOptions {
  readonly writer: LineWriter;
  readonly verbosity: number;
  /** A line of text with its line break. */
  readonly format: (entry: LogEntry) => string;
}

export function logger({ writer, verbosity, format }: LoggerOptions): Logger {
  const write = (entry: LogEntry) => {
    writer.write(format(entry));
  };
  return {
    verbosity,
    info: (message, fields = {}) => write({ severity: 'info', level: 0, message, fields }),
    verbose(level, message, fields = {}) {
      if (level <= verbosity) write({ severity: 'info', level, message, fields });
    },
    error: (problem, message, fields = {}) =>
      write({ severity: 'error', level: 0, message, fields, problem }),
    get linesDropped() {
      return writer.dropped;
    },
    get movedMs() {
      return writer.movedMs;
    },
    flush: () => writer.flush(),
    close: () => writer.close(),
  };
}

/** The format of the log: klog's text, or JSON. */
export function logFormat(format: LogFormat, nowMs: () => number): (entry: LogEntry) => string {
  const line = format === 'text' ? textLine : jsonLine;
  return (entry) => line(entry, nowMs());
}
