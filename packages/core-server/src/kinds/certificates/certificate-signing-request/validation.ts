/** Validates CertificateSigningRequests. */
import { isDeepStrictEqual } from 'node:util';
import type {
  CertificateSigningRequest,
  CertificateSigningRequestCondition,
} from '@tributary/api/certificates-v1';
import {
  type FieldError,
  type FieldPath,
  fieldError,
  goQuote,
  type NameValidator,
  root,
} from '@tributary/apimachinery';
import { metadataErrors, metadataUpdateErrors } from '../../shared/object-metadata.ts';
import { conditionsOf } from './conditions.ts';
import { parseRequest } from './parse-request.ts';
import { validateSignerName } from './signer-name.ts';
import { certificateProblem } from './validate-certificate.ts';
import { verifyRequest } from './verify-request.ts';

const SPEC = root('spec');
const CONDITIONS = root('status', 'conditions');
const CERTIFICATE = root('status', 'certificate');
const EXPIRATION_SECONDS_MIN = 600;
const OLD_SIGNER_NAME = 'kubernetes.io/legacy-unknown';

const USAGES: readonly string[] = [
  'any',
  'cert sign',
  'client auth',
  'code signing',
  'content commitment',
  'crl sign',
  'data encipherment',
  'decipher only',
  'digital signature',
  'email protection',
  'encipher only',
  'ipsec end system',
  'ipsec tunnel',
  'ipsec user',
  'key agreement',
  'key encipherment',
  'microsoft sgc',
  'netscape sgc',
  'ocsp signing',
  's/mime',
  'server auth',
  'signing',
  'timestamping',
];

/** Conditions whose status can only be True. */
const TRUE_ONLY: readonly string[] = ['Approved', 'Denied', 'Failed'];
const DECISIONS: readonly string[] = ['Approved', 'Denied'];

/** Any name is valid that the server accepts as a path segment. */
const anyName: NameValidator = () => [];

export function validateRequest(request: CertificateSigningRequest): FieldError[] {
  return errorsOf(request, undefined);
}

/** The subresource of an update: none, where the spec and status stay, or that of the status. */
export function validateRequestUpdate(
  next: CertificateSigningRequest,
  live: CertificateSigningRequest,
): FieldError[] {
  return updateErrors(next, live, { mayDecide: false, mayIssue: true });
}

export function validateApproval(
  next: CertificateSigningRequest,
  live: CertificateSigningRequest,
): FieldError[] {
  return updateErrors(next, live, { mayDecide: true, mayIssue: false });
}

/** Errors of the certificate and conditions, unless an update leaves them as they were. */
function errorsOf(
  request: CertificateSigningRequest,
  live: CertificateSigningRequest | undefined,
): FieldError[] {
  const { spec, status } = request;
  const errors = [
    ...metadataErrors(request, { namespaced: false, validateName: anyName }),
    ...requestErrors(spec.request),
    ...usageErrors(spec.usages ?? [], live?.spec.usages ?? []),
  ];
  const signerPath = SPEC.child('signerName');
  if (spec.signerName === OLD_SIGNER_NAME && live?.spec.signerName !== OLD_SIGNER_NAME) {
    const detail = 'the legacy signerName is not allowed via this API version';
    errors.push(fieldError.invalid(signerPath, spec.signerName, detail));
  } else {
    errors.push(...validateSignerName(signerPath, spec.signerName));
  }
  const seconds = spec.expirationSeconds;
  if (seconds !== undefined && seconds < EXPIRATION_SECONDS_MIN) {
    const detail = 'may not specify a duration less than 600 seconds (10 minutes)';
    errors.push(fieldError.invalid(SPEC.child('expirationSeconds'), seconds, detail));
  }
  errors.push(...conditionErrors(conditionsOf(request), live ? conditionsOf(live) : []));
  errors.push(...certificateErrors(status?.certificate ?? '', live?.status?.certificate));
  return errors;
}

function requestErrors(request: string | null): FieldError[] {
  try {
    verifyRequest(parseRequest(request ?? ''));
    return [];
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return [fieldError.invalid(SPEC.child('request'), request, reason)];
  }
}

function usageErrors(usages: readonly string[], before: readonly string[]): FieldError[] {
  const path = SPEC.child('usages');
  if (usages.length === 0) return [fieldError.required(path)];
  const isUnknown = (usage: string) => !USAGES.includes(usage);
  const isRepeated = (usage: string, index: number, all: readonly string[]) =>
    all.indexOf(usage) !== index;
  const bad = (isBad: typeof isRepeated, error: (at: FieldPath, usage: string) => FieldError) =>
    before.some(isBad)
      ? []
      : usages.flatMap((usage, index) =>
          isBad(usage, index, usages) ? [error(path.index(index), usage)] : [],
        );
  return [
    ...bad(isUnknown, (at, usage) => fieldError.notSupported(at, usage, USAGES)),
    ...bad(isRepeated, (at, usage) => fieldError.duplicate(at, usage)),
  ];
}

function conditionErrors(
  conditions: readonly CertificateSigningRequestCondition[],
  before: readonly CertificateSigningRequestCondition[],
): FieldError[] {
  const types = (all: typeof conditions) => all.map(({ type }) => type);
  const mayBeBoth = DECISIONS.every((type) => types(before).includes(type));
  const mayRepeat = new Set(types(before)).size < before.length;
  const mayBeEmpty = types(before).includes('');
  const errors: FieldError[] = [];
  for (const [index, { type, status }] of conditions.entries()) {
    const path = CONDITIONS.index(index);
    const earlier = types(conditions).slice(0, index);
    if (type === '' && !mayBeEmpty) errors.push(fieldError.required(path.child('type')));
    errors.push(...statusErrors(path.child('status'), type, status));
    const other = DECISIONS.find((decision) => decision !== type) ?? '';
    if (!mayBeBoth && DECISIONS.includes(type) && earlier.includes(other)) {
      const detail = 'Approved and Denied conditions are mutually exclusive';
      errors.push(fieldError.invalid(CONDITIONS, type, detail));
    }
    if (!mayRepeat && earlier.includes(type)) {
      errors.push(fieldError.duplicate(path.child('type'), type));
    }
  }
  return errors;
}

function statusErrors(path: FieldPath, type: string, status: string): FieldError[] {
  const allowed = TRUE_ONLY.includes(type) ? ['True'] : ['False', 'True', 'Unknown'];
  if (status === '') return [fieldError.required(path)];
  return allowed.includes(status) ? [] : [fieldError.notSupported(path, status, allowed)];
}

function certificateErrors(certificate: string, before: string | undefined): FieldError[] {
  if (before !== undefined && (before === certificate || certificateProblem(before))) return [];
  const problem = certificateProblem(certificate);
  // Upstream does not show the long certificate.
  return problem ? [fieldError.invalid(CERTIFICATE, '<certificate data>', problem)] : [];
}

interface Powers {
  readonly mayDecide: boolean;
  readonly mayIssue: boolean;
}

function updateErrors(
  next: CertificateSigningRequest,
  live: CertificateSigningRequest,
  { mayDecide, mayIssue }: Powers,
): FieldError[] {
  const errors = errorsOf(next, live);
  const count = (request: CertificateSigningRequest, type: string) =>
    conditionsOf(request, type).length;
  for (const type of TRUE_ONLY) {
    if (count(next, type) >= count(live, type)) continue;
    const detail = `updates may not remove a condition of type ${goQuote(type)}`;
    errors.push(fieldError.forbidden(CONDITIONS, detail));
  }
  for (const type of mayDecide ? [] : DECISIONS) {
    if (count(next, type) < count(live, type)) continue;
    const isSame = isDeepStrictEqual(conditionsOf(next, type), conditionsOf(live, type));
    if (isSame) continue;
    const what = count(next, type) > count(live, type) ? 'add' : 'modify';
    const detail = `updates may not ${what} a condition of type ${goQuote(type)}`;
    errors.push(fieldError.forbidden(CONDITIONS, detail));
  }
  const before = live.status?.certificate ?? '';
  if ((next.status?.certificate ?? '') !== before) {
    if (!mayIssue) {
      const detail = 'updates may not set certificate content';
      errors.push(fieldError.forbidden(CERTIFICATE, detail));
    } else if (before !== '') {
      const detail = 'updates may not modify existing certificate content';
      errors.push(fieldError.forbidden(CERTIFICATE, detail));
    }
  }
  return [...errors, ...metadataUpdateErrors(next, live)];
}
