import { badRequest, invalid } from '../errors/errors.ts';
import { type FieldError, fieldError } from '../errors/field-error.ts';
import { root } from '../errors/field-path.ts';
import { validateFieldManager } from '../validation/field-manager-name.ts';
import { booleanParameter, stringParameter } from './query.ts';

export interface GetOptions {
  readonly resourceVersion: string;
}

export type FieldValidation = 'Ignore' | 'Warn' | 'Strict';

/** The parameters of CREATE and UPDATE. */
export interface WriteOptions {
  readonly dryRun: boolean;
  /** Empty when unset; `fieldManagerFromUserAgent` returns the default. */
  readonly fieldManager: string;
  /** Defaults to `Warn`. */
  readonly fieldValidation: FieldValidation;
}

export interface PatchOptions extends WriteOptions {
  /** Takes over fields of other managers; only for apply. */
  readonly force: boolean;
}

/** Parses the parameters of GET. The removed `export` is an error. */
export function parseGetOptions(query: URLSearchParams): GetOptions {
  if (booleanParameter(query, 'export') === true) {
    throw badRequest('the export parameter, deprecated since v1.14, is no longer supported');
  }
  return { resourceVersion: stringParameter(query, 'resourceVersion') };
}

export function parseCreateOptions(query: URLSearchParams): WriteOptions {
  return parseWriteOptions(query, 'CreateOptions', []);
}

export function parseUpdateOptions(query: URLSearchParams): WriteOptions {
  return parseWriteOptions(query, 'UpdateOptions', []);
}

/** Requires `fieldManager` for apply, and allows `force` only for apply. */
export function parsePatchOptions(
  query: URLSearchParams,
  { isApply }: { readonly isApply: boolean },
): PatchOptions {
  const force = booleanParameter(query, 'force');
  const errors: FieldError[] = [];
  if (isApply && stringParameter(query, 'fieldManager') === '') {
    errors.push(fieldError.required(root('fieldManager'), 'is required for apply patch'));
  }
  if (!isApply && force !== undefined) {
    errors.push(fieldError.forbidden(root('force'), 'may not be specified for non-apply patch'));
  }
  return { ...parseWriteOptions(query, 'PatchOptions', errors), force: force ?? false };
}

/** `All` is the only supported value; one other value makes the whole list unsupported. */
export function validateDryRun(dryRun: readonly string[]): FieldError[] {
  if (dryRun.every((value) => value === 'All')) return [];
  return [fieldError.notSupported(root('dryRun'), dryRun, ['All'])];
}

function parseWriteOptions(
  query: URLSearchParams,
  kind: 'CreateOptions' | 'UpdateOptions' | 'PatchOptions',
  errorsBefore: readonly FieldError[],
): WriteOptions {
  const dryRun = query.getAll('dryRun');
  const fieldManager = stringParameter(query, 'fieldManager');
  const fieldValidation = stringParameter(query, 'fieldValidation');
  const errors = [
    ...errorsBefore,
    ...validateFieldManager(fieldManager, root('fieldManager')),
    ...validateDryRun(dryRun),
    ...validateFieldValidation(fieldValidation),
  ];
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', kind }, '', errors);
  return {
    dryRun: dryRun.length > 0,
    fieldManager,
    fieldValidation: narrowFieldValidation(fieldValidation) ?? 'Warn',
  };
}

function validateFieldValidation(value: string): FieldError[] {
  if (value === '' || narrowFieldValidation(value) !== undefined) return [];
  const supported = ['', 'Ignore', 'Strict', 'Warn'];
  return [fieldError.notSupported(root('fieldValidation'), value, supported)];
}

function narrowFieldValidation(value: string): FieldValidation | undefined {
  return value === 'Ignore' || value === 'Warn' || value === 'Strict' ? value : undefined;
}
