import type { LogEntry } from './log-entry.ts';
import { describe } from './text-line.ts';

/** A line of JSON with the fields of Kubernetes' structured logs: `ts`, `v`, `msg`, `err`. */
export function jsonLine(entry: LogEntry, nowMs: number): string {
  const { severity, level, message, fields, problem } = entry;
  const detail = severity === 'error' ? { err: describe(problem) } : { v: level };
  return `${JSON.stringify({ level: severity, ts: nowMs, ...detail, ...fields, msg: message })}\n`;
}
