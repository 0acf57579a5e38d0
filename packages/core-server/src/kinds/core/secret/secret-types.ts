/** The keys that each type of Secret requires. */

import type { Secret } from '@tributary/api/core-v1';
import { type FieldError, fieldError, JsonError, parseJson, root } from '@tributary/apimachinery';

const DATA = root('data');
const ACCOUNT_NAME = 'kubernetes.io/service-account.name';

type TypeRule = (secret: Secret) => FieldError[];

const rules: ReadonlyMap<string, TypeRule> = new Map<string, TypeRule>([
  ['kubernetes.io/service-account-token', accountErrors],
  ['kubernetes.io/dockercfg', jsonErrors('.dockercfg')],
  ['kubernetes.io/dockerconfigjson', jsonErrors('.dockerconfigjson')],
  ['kubernetes.io/basic-auth', basicAuthErrors],
  [
    'kubernetes.io/ssh-auth',
    // Only this key must not be empty.
    ({ data = {} }) => (data['ssh-privatekey'] ? [] : [missing('ssh-privatekey')]),
  ],
  [
    'kubernetes.io/tls',
    ({ data = {} }) =>
      ['tls.crt', 'tls.key'].filter((key) => !Object.hasOwn(data, key)).map(missing),
  ],
]);

export function secretTypeErrors(secret: Secret): FieldError[] {
  return rules.get(secret.type ?? '')?.(secret) ?? [];
}

function missing(key: string): FieldError {
  return fieldError.required(DATA.key(key));
}

/** A controller adds the token. */
function accountErrors({ metadata }: Secret): FieldError[] {
  if (metadata.annotations?.[ACCOUNT_NAME]) return [];
  return [fieldError.required(root('metadata', 'annotations').key(ACCOUNT_NAME))];
}

/** One of both keys is required, and may be empty. */
function basicAuthErrors({ data = {} }: Secret): FieldError[] {
  const keys = ['username', 'password'];
  return keys.some((key) => Object.hasOwn(data, key)) ? [] : keys.map(missing);
}

function jsonErrors(key: string): TypeRule {
  return ({ data = {} }) => {
    const encoded = Object.hasOwn(data, key) ? data[key] : undefined;
    if (encoded === undefined) return [missing(key)];
    const reason = jsonObjectError(Buffer.from(encoded, 'base64'));
    // The error must not show the content.
    return reason === undefined
      ? []
      : [fieldError.invalid(DATA.key(key), '<secret contents redacted>', reason)];
  };
}

/** The message of Go's decoder. */
function jsonObjectError(bytes: Uint8Array): string | undefined {
  try {
    const value = parseJson(bytes);
    if (value === null || (typeof value === 'object' && !Array.isArray(value))) return undefined;
    return `json: cannot unmarshal ${kindOf(value)} into Go value of type map[string]interface {}`;
  } catch (error) {
    if (error instanceof JsonError) return error.message;
    throw error;
  }
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'string' ? 'string' : 'number';
}
