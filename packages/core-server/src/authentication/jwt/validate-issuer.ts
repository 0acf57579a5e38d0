import { X509Certificate } from 'node:crypto';
import { type FieldError, type FieldPath, fieldError } from '@tributary/apimachinery';

export function issuerUrlErrors(
  url: string,
  path: FieldPath,
  disallowed: readonly string[] = [],
): FieldError[] {
  if (url === '') return [fieldError.required(path, '')];
  const invalid = (detail: string) => fieldError.invalid(path, url, detail);
  const errors: FieldError[] = [];
  if (disallowed.includes(url)) {
    const list = [...disallowed].sort().join(' ');
    errors.push(invalid(`URL must not overlap with disallowed issuers: [${list}]`));
  }
  const parsed = URL.parse(url);
  // Go parses a URL without a scheme as a path, and the error is about its scheme.
  if (parsed?.protocol !== 'https:') errors.push(invalid('URL scheme must be https'));
  if (parsed === null) return errors;
  if (parsed.username !== '' || parsed.password !== '') {
    errors.push(invalid('URL must not contain a username or password'));
  }
  if (parsed.search !== '') errors.push(invalid('URL must not contain a query'));
  if (parsed.hash !== '') errors.push(invalid('URL must not contain a fragment'));
  return errors;
}

export function discoveryUrlErrors(url: string, issuer: string, path: FieldPath): FieldError[] {
  const bare = (one: string) => one.replace(/\/+$/, '');
  const isSame = issuer !== '' && bare(issuer) === bare(url);
  return [
    ...(isSame ? [fieldError.invalid(path, url, 'discoveryURL must be different from URL')] : []),
    ...issuerUrlErrors(url, path),
  ];
}

export function audienceErrors(
  audiences: readonly string[],
  policy: string,
  { path, policyPath }: { path: FieldPath; policyPath: FieldPath },
): FieldError[] {
  if (audiences.length === 0) {
    return [fieldError.required(path, `at least one ${path} is required`)];
  }
  const errors = audiences.flatMap((audience, index) => [
    ...(audience === '' ? [fieldError.required(path.index(index), '')] : []),
    ...(audiences.indexOf(audience) < index
      ? [fieldError.duplicate(path.index(index), audience)]
      : []),
  ]);
  if (audiences.length > 1 && policy !== 'MatchAny') {
    const detail = 'audienceMatchPolicy must be MatchAny for multiple audiences';
    errors.push(fieldError.invalid(policyPath, policy, detail));
  }
  if (audiences.length === 1 && policy !== '' && policy !== 'MatchAny') {
    const detail = 'audienceMatchPolicy must be empty or MatchAny for single audience';
    errors.push(fieldError.invalid(policyPath, policy, detail));
  }
  return errors;
}

export function authorityErrors(pem: string, path: FieldPath): FieldError[] {
  if (pem === '') return [];
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  try {
    for (const block of blocks) new X509Certificate(block);
  } catch (error) {
    return [fieldError.invalid(path, '<omitted>', String(error))];
  }
  if (blocks.length > 0) return [];
  const detail = 'data does not contain any valid RSA or ECDSA certificates';
  return [fieldError.invalid(path, '<omitted>', detail)];
}
