/** Validates names, ports and other values in specs. */

import {
  dns1123LabelErrors,
  dns1123SubdomainErrors,
  type FieldError,
  type FieldPath,
  fieldError,
  qualifiedNameErrors,
} from '@tributary/apimachinery';
import { validateRequiredSupported } from './validate-values.ts';

export const portProtocols: readonly string[] = ['SCTP', 'TCP', 'UDP'];

export function validateLabel(path: FieldPath, value: string): FieldError[] {
  return dns1123LabelErrors(value).map((detail) => fieldError.invalid(path, value, detail));
}

export function validateSubdomain(path: FieldPath, value: string): FieldError[] {
  return dns1123SubdomainErrors(value).map((detail) => fieldError.invalid(path, value, detail));
}

export function validateQualifiedName(path: FieldPath, value: string): FieldError[] {
  return qualifiedNameErrors(value).map((detail) => fieldError.invalid(path, value, detail));
}

export function validatePortNumber(path: FieldPath, port: number): FieldError[] {
  if (port >= 1 && port <= 65_535) return [];
  return [fieldError.invalid(path, port, 'must be between 1 and 65535, inclusive')];
}

/** The name of a container port. */
export function validatePortName(path: FieldPath, name: string): FieldError[] {
  const details: string[] = [];
  if (Buffer.byteLength(name) > 15) details.push('must be no more than 15 characters');
  if (!/^[-a-z0-9]+$/.test(name)) {
    details.push('must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)');
  }
  if (!/[a-z]/.test(name)) details.push('must contain at least one letter (a-z)');
  if (name.includes('--')) details.push('must not contain consecutive hyphens');
  if (name.startsWith('-') || name.endsWith('-')) {
    details.push('must not begin or end with a hyphen');
  }
  return details.map((detail) => fieldError.invalid(path, name, detail));
}

export function validateProtocol(path: FieldPath, protocol: string | undefined): FieldError[] {
  return validateRequiredSupported(protocol, portProtocols, path);
}
