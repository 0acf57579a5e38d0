/** The compared parts of a response; the original visits fields in random order. */
import type { Response } from '../../test/harness/index.ts';

export interface StepResult {
  readonly code: number;
  readonly reason: string | undefined;
  /** With the entries of a list sorted. */
  readonly message: string | undefined;
  readonly causes: readonly string[];
  readonly warnings: readonly string[];
  /** As text, with sorted keys: numbers are compared as they are written. */
  readonly spec: string | undefined;
}

interface Document {
  readonly reason?: string;
  readonly message?: string;
  readonly details?: { readonly causes?: readonly Cause[] };
  readonly spec?: unknown;
}

interface Cause {
  readonly field?: string;
  readonly reason?: string;
  readonly message?: string;
}

export function responseOf({ status, body, headers }: Response): StepResult {
  const document = JSON.parse(body, withDigits) as Document;
  const causes = (document.details?.causes ?? []).map(
    ({ field, reason, message }) => `${field} | ${reason} | ${message}`,
  );
  return {
    code: status,
    reason: document.reason,
    message: sortedMessage(document.message?.replace(/row-\d+/, 'NAME')),
    causes: causes.sort(),
    warnings: warningsOf(headers.warning),
    spec: document.spec === undefined ? undefined : sortedJson(document.spec),
  };
}

/** Numbers keep their digits: both servers write what a client must not lose. */
function withDigits(_key: string, value: unknown, context?: { source?: string }): unknown {
  return typeof value === 'number' && !Number.isSafeInteger(value)
    ? `number ${Number.isInteger(value) ? BigInt(value) : value} ${context?.source?.length}`
    : value;
}

function sortedMessage(message: string | undefined): string | undefined {
  if (message === undefined) return undefined;
  const strict = message.indexOf('strict decoding error: ');
  if (strict !== -1)
    return message
      .split(/: (?=unknown field)|, (?=unknown field)/)
      .sort()
      .join('\n');
  const [, head, list] = /^(.*? is invalid: )\[(.*)\]$/s.exec(message) ?? [];
  if (head === undefined || list === undefined) return message;
  const entries = list.split(
    /, (?=(?:spec|metadata)[^ ]*: (?:Invalid|Required|Unsupported|Duplicate|Too)|<nil>: )/,
  );
  return [head, ...entries.sort()].join('\n');
}

function warningsOf(header: string | string[] | undefined): string[] {
  const text = Array.isArray(header) ? header.join(', ') : (header ?? '');
  return text
    .split(/, (?=299 )/)
    .filter((one) => one !== '')
    .sort();
}

function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_key, one: unknown) =>
    typeof one === 'object' && one !== null && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  );
}
