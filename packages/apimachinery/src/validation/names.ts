/**
 * Validation of names, label keys and label values. Validators return a list of messages, empty for a valid value.
 * Lengths are bytes of UTF-8, although some upstream messages say characters.
 */

/** `prefix` is true for a `generateName`, which may end in a dash because a suffix is appended. */
export type NameValidator = (name: string, options?: { readonly prefix?: boolean }) => string[];

/** A DNS-1123 subdomain, the rule for names of most resources. */
export const validateDnsSubdomainName: NameValidator = (name, options) =>
  dns1123SubdomainErrors(options?.prefix === true ? maskTrailingDash(name) : name);

/** A DNS-1123 label, the rule for namespaces and resources whose names become host names. */
export const validateDnsLabelName: NameValidator = (name, options) =>
  dns1123LabelErrors(options?.prefix === true ? maskTrailingDash(name) : name);

/** A DNS-1035 label, the rule for services. */
export const validateDns1035LabelName: NameValidator = (name, options) =>
  dns1035LabelErrors(options?.prefix === true ? maskTrailingDash(name) : name);

/** Every name must be a single segment of a URL path. */
export const validatePathSegmentName: NameValidator = (name, options) => {
  if (options?.prefix !== true && (name === '.' || name === '..')) return [`may not be '${name}'`];
  return ['/', '%']
    .filter((illegal) => name.includes(illegal))
    .map((illegal) => `may not contain '${illegal}'`);
};

export function dns1123LabelErrors(value: string): string[] {
  const errors = tooLong(value, 63, 'characters');
  if (dns1123Label.test(value)) return errors;
  if (dns1123Subdomain.test(value)) return [...errors, 'must not contain dots'];
  return [...errors, regexError(dns1123LabelText, dns1123LabelFormat, ['my-name', '123-abc'])];
}

export function dns1123SubdomainErrors(value: string): string[] {
  return subdomainErrors(value, 'characters');
}

export function dns1035LabelErrors(value: string): string[] {
  const errors = tooLong(value, 63, 'characters');
  if (dns1035Label.test(value)) return errors;
  return [...errors, regexError(dns1035LabelText, dns1035LabelFormat, ['my-name', 'abc-123'])];
}

/** Label keys, finalizers and condition types: an optional subdomain and a slash, then a name. */
export function qualifiedNameErrors(value: string): string[] {
  const parts = value.split('/', 3);
  if (parts.length > 2) {
    return [
      `a valid label key ${labelKeyRegexError} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  const [prefix, name] = parts.length === 2 ? parts : [undefined, value];
  return [...prefixErrors(prefix), ...namePartErrors(name ?? '')];
}

export function labelValueErrors(value: string): string[] {
  const errors = tooLong(value, 63, 'bytes');
  if (labelValue.test(value)) return errors;
  return [
    ...errors,
    regexError(labelValueText, labelValueFormat, ['MyValue', 'my_value', '12345']),
  ];
}

/** The message for a value that does not match a regular expression. */
export function regexError(text: string, format: string, examples: readonly string[] = []): string {
  const used = `regex used for validation is '${format}'`;
  if (examples.length === 0) return `${text} (${used})`;
  return `${text} (e.g. ${examples.map((example) => `'${example}', `).join(' or ')}${used})`;
}

const dns1123LabelFormat = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const dns1123LabelText =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character";
const dns1123SubdomainFormat = `${dns1123LabelFormat}(\\.${dns1123LabelFormat})*`;
const dns1123SubdomainText =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character";
const dns1035LabelFormat = '[a-z]([-a-z0-9]*[a-z0-9])?';
const dns1035LabelText =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character";
const labelKeyFormat = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const labelKeyText =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
const labelValueFormat = `(${labelKeyFormat})?`;
const labelValueText =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";

/**
 * Equivalent to the formats above, which are for messages: those backtrack and take quadratic time for a long run
 * of dashes.
 */
const dns1123Label = /^[a-z0-9]+(?:-+[a-z0-9]+)*$/;
const dns1123Subdomain = /^[a-z0-9]+(?:-+[a-z0-9]+)*(?:\.[a-z0-9]+(?:-+[a-z0-9]+)*)*$/;
const dns1035Label = /^[a-z][a-z0-9]*(?:-+[a-z0-9]+)*$/;
const labelKeyName = /^[A-Za-z0-9]+(?:[-_.]+[A-Za-z0-9]+)*$/;
const labelValue = /^(?:[A-Za-z0-9]+(?:[-_.]+[A-Za-z0-9]+)*)?$/;
const labelKeyRegexError = regexError(labelKeyText, labelKeyFormat, [
  'MyName',
  'my.name',
  '123-abc',
]);

/** Upstream's `maskTrailingDash`: replaces a trailing dash and the (ASCII) character before it by a letter. */
function maskTrailingDash(name: string): string {
  return name.replace(/[\0-\x7f]-$/, 'a');
}

function prefixErrors(prefix: string | undefined): string[] {
  if (prefix === undefined) return [];
  if (prefix === '') return ['prefix part must be non-empty'];
  return subdomainErrors(prefix, 'bytes').map((error) => `prefix part ${error}`);
}

function namePartErrors(name: string): string[] {
  const length = name === '' ? ['must be non-empty'] : tooLong(name, 63, 'bytes');
  const form = labelKeyName.test(name) ? [] : [labelKeyRegexError];
  return [...length, ...form].map((error) => `name part ${error}`);
}

function subdomainErrors(value: string, unit: 'characters' | 'bytes'): string[] {
  const errors = tooLong(value, 253, unit);
  if (dns1123Subdomain.test(value)) return errors;
  return [...errors, regexError(dns1123SubdomainText, dns1123SubdomainFormat, ['example.com'])];
}

/** The unit appears only in the message; the limit is always in bytes. */
function tooLong(value: string, bytesMax: number, unit: 'characters' | 'bytes'): string[] {
  return Buffer.byteLength(value) > bytesMax ? [`must be no more than ${bytesMax} ${unit}`] : [];
}
