import {
  badRequest,
  type FieldError,
  fieldError,
  formatGroupVersion,
  type GroupVersionKind,
  goQuote,
  invalid,
  parseGroupVersion,
  root,
} from '@tributary/apimachinery';
import { reportFindings, unrecognized } from './decode-errors.ts';
import type { DecodeContext, DecodedKind } from './decoded-kind.ts';
import { wrongVersion } from './known-kinds.ts';

type Sent = Readonly<Record<string, unknown>>;

/**
 * The type of a custom resource, which is no Go type: a body without a type is refused, with other messages than for
 * built-in kinds.
 */
export function requireCustomType(
  sent: Sent,
  { kind: wanted, others }: Pick<DecodedKind, 'kind' | 'others'>,
  context: DecodeContext,
): void {
  const { request, strictness, isPatched = false } = context;
  const [kind, apiVersion] = [textOf(sent.kind), textOf(sent.apiVersion)];
  const expected = formatGroupVersion(wanted);
  if (!isPatched && kind === '') throw missing('Kind', wanted, context.body);
  if (!isPatched && apiVersion === '') throw missing('apiVersion', wanted, context.body);
  if (kind === wanted.kind && apiVersion === expected) return;
  const version = parseGroupVersion(apiVersion) ?? { group: '', version: apiVersion };
  if (!isPatched && apiVersion !== expected) {
    // All fields of another version of the same kind are known.
    if (kind === wanted.kind && others?.schemaOf({ ...version, kind })) return;
    // No field of an unknown version is known.
    const unknown = Object.keys(sent).filter((name) => !TYPE_META.has(name));
    const findings = unknown.toSorted().map((name) => `unknown field ${goQuote(name)}`);
    reportFindings(findings, strictness, {
      kind: { ...version, kind },
      warnings: request.warnings,
    });
    throw badRequest(wrongVersion(version, wanted));
  }
  const errors: FieldError[] = [];
  if (kind !== wanted.kind) {
    errors.push(fieldError.invalid(root('kind'), kind, `must be ${wanted.kind}`));
  }
  if (apiVersion !== expected) {
    errors.push(fieldError.invalid(root('apiVersion'), apiVersion, `must be ${expected}`));
  }
  throw invalid({ group: version.group, kind }, nameOf(sent), errors);
}

const TYPE_META = new Set(['apiVersion', 'kind', 'metadata']);

/**
 * The order in which upstream finds unknown fields: of the metadata, then of everything else, then of embedded
 * metadata.
 */
export function inCustomOrder(unknown: readonly string[]): readonly string[] {
  if (unknown.length < 2) return unknown;
  const place = (path: string): number => {
    if (path.startsWith('metadata.')) return 0;
    return /\.metadata\.[^.]+$/.test(path) ? 2 : 1;
  };
  return unknown.toSorted((a, b) => place(a) - place(b) || (a < b ? -1 : 1));
}

function missing(field: string, wanted: GroupVersionKind, body: Uint8Array) {
  const text = Buffer.from(body).toString('utf8');
  return badRequest(unrecognized(wanted, `Object '${field}' is missing in '${text}'`, body));
}

function nameOf({ metadata }: Sent): string {
  const { name } = (metadata ?? {}) as { readonly name?: unknown };
  return textOf(name);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
