import type { Logger } from '../src/operations/logging/logger.ts';

/** A log that is read by tests. */
export function silentLog(): { readonly log: Logger; readonly lines: readonly string[] } {
  const lines: string[] = [];
  const log: Logger = {
    verbosity: 0,
    info: (message, fields) => void lines.push(`${message} ${JSON.stringify(fields ?? {})}`),
    verbose() {},
    error: (problem, message) =>
      void lines.push(`${message}: ${problem instanceof Error ? problem.message : problem}`),
    linesDropped: 0,
    get movedMs() {
      return performance.timeOrigin + performance.now();
    },
    flush: async () => {},
    close: async () => {},
  };
  return { log, lines };
}
