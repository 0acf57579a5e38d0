/** Validation of IP addresses and CIDRs, and warnings about forms that other programs misread: util/validation/ip.go upstream. */
import { type FieldError, fieldError } from '../errors/field-error.ts';
import type { FieldPath } from '../errors/field-path.ts';
import { goQuote } from '../values/go-quote.ts';
import { formatIp, formatPrefix, type IpAddress, parseIp, parsePrefix } from './ip-address.ts';

const NO_ADDRESS = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)';
const NO_PREFIX = 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)';

/** For fields that once accepted lax forms: values that the field has already stay valid. */
export function validateIpForLegacyField(
  path: FieldPath,
  value: string,
  before: readonly string[] = [],
): FieldError[] {
  if (before.includes(value)) return [];
  const address = parseIp(value);
  if (address === undefined) return [fieldError.invalid(path, value, NO_ADDRESS)];
  const errors: FieldError[] = [];
  if (address.hasLeadingZeros) {
    errors.push(fieldError.invalid(path, value, 'must not have leading 0s'));
  } else if (address.isMapped) {
    errors.push(fieldError.invalid(path, value, 'must not be an IPv4-mapped IPv6 address'));
  }
  return errors;
}

/** For newer fields, which accept only the canonical form. */
export function validateIp(path: FieldPath, value: string): FieldError[] {
  const errors = validateIpForLegacyField(path, value);
  if (errors.length > 0) return errors;
  const canonical = canonicalIp(value);
  if (canonical === value) return [];
  return [fieldError.invalid(path, value, `must be in canonical form (${goQuote(canonical)})`)];
}

/** The canonical form of an address; other text is returned unchanged. */
export function canonicalIp(value: string): string {
  const address = parseIp(value);
  return address === undefined ? value : formatIp(address);
}

export interface EndpointRules {
  /** Whether loopback addresses are allowed. Upstream never allows them. */
  readonly allowLoopback: boolean;
}

export const upstreamEndpointRules: EndpointRules = { allowLoopback: false };

/** Refuses addresses in ranges that endpoints of a Service must not use. */
export function validateEndpointIp(
  path: FieldPath,
  value: string,
  { allowLoopback }: EndpointRules = upstreamEndpointRules,
): FieldError[] {
  const address = parseIp(value);
  if (address === undefined) {
    return [fieldError.invalid(path, value, 'must be a valid IP address')];
  }
  return specialRanges
    .filter((range) => range.contains(address) && !(allowLoopback && range === loopback))
    .map(({ detail }) => fieldError.invalid(path, value, detail(value)));
}

interface SpecialRange {
  readonly contains: (address: IpAddress) => boolean;
  readonly detail: (value: string) => string;
}

const within =
  (ipv4: { prefix: bigint; bits: bigint }, ipv6: { prefix: bigint; bits: bigint }) =>
  ({ family, value }: IpAddress): boolean =>
    family === 'IPv4'
      ? value >> (32n - ipv4.bits) === ipv4.prefix
      : value >> (128n - ipv6.bits) === ipv6.prefix;

const loopback: SpecialRange = {
  contains: within({ prefix: 127n, bits: 8n }, { prefix: 1n, bits: 128n }),
  detail: () => 'may not be in the loopback range (127.0.0.0/8, ::1/128)',
};

const specialRanges: readonly SpecialRange[] = [
  {
    contains: ({ value }) => value === 0n,
    detail: (value) => `may not be unspecified (${value})`,
  },
  loopback,
  {
    contains: within({ prefix: 0xa9fen, bits: 16n }, { prefix: 0x3fan, bits: 10n }),
    detail: () => 'may not be in the link-local range (169.254.0.0/16, fe80::/10)',
  },
  {
    // Of the second octet only the scope, 2, is compared.
    contains: ({ family, value }) =>
      family === 'IPv4'
        ? value >> 8n === 0xe00000n
        : value >> 120n === 0xffn && ((value >> 112n) & 0xfn) === 2n,
    detail: () => 'may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)',
  },
];

/** For values that `validateIpForLegacyField` accepts, or accepted earlier. */
export function warningsForIp(path: FieldPath, value: string): string[] {
  const address = parseIp(value);
  if (address === undefined) return [];
  const canonical = formatIp(address);
  if (address.hasLeadingZeros || address.isMapped) {
    return [
      `${path}: non-standard IP address ${goQuote(value)} is invalid: use ${goQuote(canonical)}`,
    ];
  }
  if (address.family === 'IPv4' || canonical === value) return [];
  return [
    `${path}: IPv6 address ${goQuote(value)} should be in RFC 5952 canonical format (${goQuote(canonical)})`,
  ];
}

export function validateCidrForLegacyField(
  path: FieldPath,
  value: string,
  before: readonly string[] = [],
): FieldError[] {
  if (before.includes(value)) return [];
  const prefix = parsePrefix(value);
  if (prefix === undefined) return [fieldError.invalid(path, value, NO_PREFIX)];
  const { address, network, hasLeadingZeros } = prefix;
  if (hasLeadingZeros) {
    const detail = 'must not have leading 0s in IP or prefix length';
    return [fieldError.invalid(path, value, detail)];
  }
  if (address.isMapped) {
    return [fieldError.invalid(path, value, 'must not have an IPv4-mapped IPv6 address')];
  }
  if (network !== address.value) {
    return [fieldError.invalid(path, value, 'must not have bits set beyond the prefix length')];
  }
  return [];
}

/** For values that `validateCidrForLegacyField` accepts, or accepted earlier. */
export function warningsForCidr(path: FieldPath, value: string): string[] {
  const prefix = parsePrefix(value);
  if (prefix === undefined) return [];
  const { address, network, width, hasLeadingZeros } = prefix;
  const canonical = formatPrefix(prefix);
  const warnings: string[] = [];
  if (network !== address.value) {
    const single = goQuote(`${formatIp(address)}/${width}`);
    warnings.push(
      `${path}: CIDR value ${goQuote(value)} is ambiguous in this context (should be ${goQuote(canonical)} or ${single}?)`,
    );
  }
  if (hasLeadingZeros || address.isMapped) {
    warnings.push(
      `${path}: non-standard CIDR value ${goQuote(value)} is invalid: use ${goQuote(canonical)}`,
    );
  }
  if (warnings.length > 0 || address.family === 'IPv4' || canonical === value) return warnings;
  return [
    `${path}: IPv6 CIDR value ${goQuote(value)} should be in RFC 5952 canonical format (${goQuote(canonical)})`,
  ];
}
