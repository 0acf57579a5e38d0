import { goQuote } from '@tributary/apimachinery';
import type { LogEntry } from './log-entry.ts';

/** A line in klog's format: severity, time and process, a quoted message, then fields. */
export function textLine({ severity, message, fields, problem }: LogEntry, nowMs: number): string {
  const head = `${severity === 'error' ? 'E' : 'I'}${time(nowMs)} ${String(process.pid).padStart(7)}`;
  const error = problem === undefined ? '' : ` err=${goQuote(describe(problem))}`;
  const pairs = Object.entries(fields).map(
    ([name, value]) => ` ${name}=${typeof value === 'string' ? goQuote(value) : value}`,
  );
  return `${head}] ${goQuote(message)}${error}${pairs.join('')}\n`;
}

/** With its stack, which locates the bug. */
export function describe(problem: unknown): string {
  if (!(problem instanceof Error)) return String(problem);
  return problem.stack ?? `${problem.name}: ${problem.message}`;
}

function time(ms: number): string {
  const text = new Date(ms).toISOString();
  const micros = String(Math.floor((ms % 1) * 1000)).padStart(3, '0');
  return `${text.slice(5, 7)}${text.slice(8, 10)} ${text.slice(11, 23)}${micros}`;
}
