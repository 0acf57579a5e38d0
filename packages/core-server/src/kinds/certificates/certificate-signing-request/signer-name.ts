import {
  dns1123LabelErrors,
  dns1123SubdomainErrors,
  type FieldError,
  type FieldPath,
  fieldError,
  goQuote,
} from '@tributary/apimachinery';

const DOMAIN_BYTES_MAX = 253;
/** A domain, a slash, and a label, a dot and a subdomain after it. */
const SIGNER_NAME_BYTES_MAX = DOMAIN_BYTES_MAX + 1 + 63 + 1 + 253;

/** `example.com/signer-name`. */
export function validateSignerName(path: FieldPath, signerName: string): FieldError[] {
  if (signerName === '') return [fieldError.required(path)];
  const [domain = '', name, ...more] = signerName.split('/');
  if (name === undefined || more.length > 0) {
    const detail =
      "must be a fully qualified domain and path of the form 'example.com/signer-name'";
    return [fieldError.invalid(path, signerName, detail)];
  }
  const errors: FieldError[] = [];
  if (Buffer.byteLength(domain) > DOMAIN_BYTES_MAX) {
    errors.push(fieldError.tooLong(path, DOMAIN_BYTES_MAX));
  }
  const labels = domain.split('.');
  errors.push(...firstBadLabel(path, domain, labels, dns1123LabelErrors));
  if (labels.length < 2) {
    const detail = 'should be a domain with at least two segments separated by dots';
    errors.push(fieldError.invalid(path, domain, detail));
  }
  errors.push(...firstBadLabel(path, name, name.split('.'), dns1123SubdomainErrors));
  if (Buffer.byteLength(signerName) > SIGNER_NAME_BYTES_MAX) {
    errors.push(fieldError.tooLong(path, SIGNER_NAME_BYTES_MAX));
  }
  return errors;
}

/** Errors of further labels would be the same. */
function firstBadLabel(
  path: FieldPath,
  whole: string,
  labels: readonly string[],
  errorsOf: (label: string) => readonly string[],
): FieldError[] {
  for (const label of labels) {
    const details = errorsOf(label);
    if (details.length === 0) continue;
    return details.map((detail) =>
      fieldError.invalid(path, whole, `validating label ${goQuote(label)}: ${detail}`),
    );
  }
  return [];
}
