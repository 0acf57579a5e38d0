/** A difference as a person reads it: how to repeat it, a short script, and where the sides differ. */
import { isWatchStep, type RequestStep, type Step } from '../differential/row.ts';
import type { Finding } from './compare-sequences.ts';

export function describeFinding({ seed, row, message }: Finding): string {
  return [
    `${row.name}; repeat with SEQUENCES_SEED=${seed} SEQUENCES=1, or keep it as a row:`,
    ...row.steps.flatMap((step) => lines(step, '  ')),
    message,
  ].join('\n');
}

function lines(step: Step, indent: string): string[] {
  if (!isWatchStep(step)) return [`${indent}${step.name}: ${request(step)}`];
  return [
    `${indent}${step.name}: WATCH ${request({ name: step.name, ...step.watch })}`,
    ...(step.during ?? []).flatMap((inner) => lines(inner, `${indent}  `)),
  ];
}

function request({
  method = 'GET',
  path,
  query = {},
  as,
  headers = {},
  body,
}: RequestStep): string {
  const { authorization, ...others } = headers;
  const asked = Object.entries(query).map(([key, value]) => `${key}=${value}`);
  const who = authorization === undefined ? (as ?? 'admin') : 'robot';
  return [
    `(${who}) ${method} ${path}${asked.length === 0 ? '' : `?${asked.join('&')}`}`,
    ...(Object.keys(others).length === 0 ? [] : [JSON.stringify(others)]),
    ...(body === undefined ? [] : [JSON.stringify(body)]),
  ].join(' ');
}
