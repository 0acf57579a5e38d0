import {
  badRequest,
  type FieldValidation,
  type GroupVersionKind,
  goQuote,
} from '@tributary/apimachinery';
import type { Warnings } from '../request/warnings.ts';

export function reportFindings(
  findings: readonly string[],
  strictness: FieldValidation,
  { kind, warnings }: { kind: GroupVersionKind; warnings: Warnings },
): void {
  if (findings.length === 0 || strictness === 'Ignore') return;
  if (strictness === 'Strict') {
    throw badRequest(cannotBeHandled(kind, `strict decoding error: ${findings.join(', ')}`));
  }
  for (const finding of findings) warnings.add(finding);
}

export function cannotBeHandled({ kind, version }: GroupVersionKind, why: string): string {
  return `${kind} in version ${goQuote(version)} cannot be handled as a ${kind}: ${why}`;
}

const EXCERPT_BYTES = 30;

export function unrecognized({ kind }: GroupVersionKind, why: string, body: Uint8Array): string {
  return `the object provided is unrecognized (must be of type ${kind}): ${why} (${excerpt(body)})`;
}

/** The start of a body as in upstream's messages: text when it looks like JSON, hex otherwise. */
function excerpt(body: Uint8Array): string {
  if (body.length === 0) return '<empty>';
  const cut = Buffer.from(body.subarray(0, EXCERPT_BYTES));
  const shown = body[0] === 0x7b ? cut.toString('utf8') : cut.toString('hex');
  return body.length > EXCERPT_BYTES ? `${shown} ...` : shown;
}
