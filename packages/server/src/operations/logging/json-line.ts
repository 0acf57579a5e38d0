import { pino } from 'pino';
import type { LogEntry } from './log-entry.ts';
import { describe } from './text-line.ts';

/** A line of JSON with the names that Kubernetes programs have: `ts`, `v`, `msg`, `err`. */
export function jsonFormat(nowMs: () => number): (entry: LogEntry) => string {
  let line = '';
  const log = pino(
    {
      base: null,
      level: 'trace',
      timestamp: () => `,"ts":${nowMs()}`,
      formatters: { level: (level) => ({ level }) },
    },
    {
      write(text: string) {
        line = text;
      },
    },
  );
  return ({ severity, level, message, fields, problem }) => {
    const own = severity === 'error' ? { err: describe(problem) } : { v: level };
    log[severity]({ ...own, ...fields }, message);
    return line;
  };
}
