import { createSecretKey, type KeyObject } from 'node:crypto';
import {
  aggregateText,
  type FieldError,
  fieldError,
  type GroupResource,
} from '@tributary/apimachinery';
import { DocumentPart } from './document-part.ts';
import { isKeyName, SECRET_BYTES } from './envelope.ts';
import {
  maskErrors,
  overlapErrors,
  parseResourceName,
  type ResourceName,
  resourceNameErrors,
} from './resource-names.ts';

/** The resources to encrypt and their providers: the file `EncryptionConfiguration`, parsed and validated. */
export interface EncryptionConfig {
  /** Earlier entries take precedence over later ones. */
  readonly resources: readonly ResourceEncryption[];
}

export interface ResourceEncryption {
  /** `*` as resource is all of a group, `*` as both everything. */
  readonly resources: readonly GroupResource[];
  /** The first one writes, all of them read. */
  readonly providers: readonly EncryptionProvider[];
}

export type EncryptionProvider =
  | { readonly kind: 'aesgcm'; readonly keys: readonly EncryptionKey[] }
  | { readonly kind: 'identity' };

export interface EncryptionKey {
  readonly name: string;
  /** Prints without its bytes, so that a configuration may be logged. */
  readonly secret: KeyObject;
}

/** The file is invalid; every error names its field. Contains no secret. */
export class EncryptionConfigInvalid extends Error {
  override readonly name = 'EncryptionConfigInvalid';
  readonly errors: readonly FieldError[];

  constructor(errors: readonly FieldError[]) {
    super(`the encryption configuration is not valid: ${aggregateText(errors)}`);
    this.errors = errors;
  }
}

/**
 * Parses the content of a file as kube-apiserver does with `--encryption-provider-config`: kind
 * `EncryptionConfiguration`, version `apiserver.config.k8s.io/v1`. Throws `EncryptionConfigInvalid` with all errors at
 * once.
 */
export function parseEncryptionConfig(document: unknown): EncryptionConfig {
  const errors: FieldError[] = [];
  const config = readConfig(new DocumentPart(document, undefined, errors));
  if (errors.length > 0) throw new EncryptionConfigInvalid(errors);
  return config;
}

function readConfig(document: DocumentPart): EncryptionConfig {
  const fields = document.fields(['kind', 'apiVersion', 'resources']);
  if (fields === undefined) return { resources: [] };
  expectText(fields.kind, 'EncryptionConfiguration');
  expectText(fields.apiVersion, 'apiserver.config.k8s.io/v1');
  const earlier: ResourceName[] = [];
  const entries = fields.resources.items('entry');
  return { resources: entries.flatMap((entry) => readEntry(entry, earlier) ?? []) };
}

/** Adds the names of the entry to those of the entries before it. */
function readEntry(entry: DocumentPart, earlier: ResourceName[]): ResourceEncryption | undefined {
  const fields = entry.fields(['resources', 'providers']);
  if (fields === undefined) return undefined;
  const names = readNames(fields.resources);
  for (const error of maskErrors(earlier, names)) entry.object(error);
  earlier.push(...names);
  return {
    resources: names.map(({ resource }) => resource),
    providers: readProviders(fields.providers),
  };
}

function expectText(part: DocumentPart, expected: string): void {
  const text = part.text();
  if (text === undefined || text === expected) return;
  part.object(fieldError.notSupported(part.path, text, [expected]));
}

function readNames(list: DocumentPart): ResourceName[] {
  const names = list.items('resource').flatMap((part) => {
    const text = part.text();
    if (text === undefined) return [];
    const name = parseResourceName(part.path, text);
    for (const error of resourceNameErrors(name)) part.object(error);
    return [name];
  });
  for (const error of overlapErrors(list.path, names)) list.object(error);
  return names;
}

function readProviders(list: DocumentPart): EncryptionProvider[] {
  const keyNames = new Set<string>();
  return list.items('provider').flatMap((part) => readProvider(part, keyNames) ?? []);
}

/** Providers of kube-apiserver that are not supported, with alternatives. */
const REFUSED = {
  aescbc: 'the aescbc provider is not supported: it does not notice changed bytes; use aesgcm',
  secretbox: 'the secretbox provider is not supported: Node.js has no XSalsa20; use aesgcm',
  kms: 'the kms provider is not supported; use aesgcm with keys that your deployment hands out',
} as const;
const PROVIDERS = ['aesgcm', 'identity', 'aescbc', 'secretbox', 'kms'] as const;

function readProvider(part: DocumentPart, keyNames: Set<string>): EncryptionProvider | undefined {
  const fields = part.fields(PROVIDERS);
  if (fields === undefined) return undefined;
  const given = PROVIDERS.filter((name) => !fields[name].isAbsent);
  const [name] = given;
  if (name === undefined || given.length > 1) {
    const detail =
      name === undefined
        ? 'provider does not contain any of the expected providers: aesgcm, identity'
        : 'more than one provider specified in a single element, should split into different list elements';
    part.object(fieldError.invalid(part.path, given, detail));
    return undefined;
  }
  switch (name) {
    case 'aesgcm': {
      const keys = fields.aesgcm.fields(['keys'])?.keys.items('key') ?? [];
      return { kind: 'aesgcm', keys: keys.flatMap((key) => readKey(key, keyNames) ?? []) };
    }
    case 'identity':
      fields.identity.fields([]);
      return { kind: 'identity' };
    default:
      part.object(fieldError.forbidden(fields[name].path, REFUSED[name]));
      return undefined;
  }
}

/** Names are unique within an entry, over all its providers: a value identifies its key by name alone. */
function readKey(part: DocumentPart, keyNames: Set<string>): EncryptionKey | undefined {
  const fields = part.fields(['name', 'secret']);
  if (fields === undefined) return undefined;
  const name = readKeyName(fields.name, keyNames);
  const secret = readSecret(fields.secret);
  return name === undefined || secret === undefined ? undefined : { name, secret };
}

function readKeyName(part: DocumentPart, keyNames: Set<string>): string | undefined {
  const name = part.text();
  if (name === undefined) return undefined;
  if (!isKeyName(name)) {
    const detail = "must have no ':' and no control characters, and at most 253 characters";
    part.object(fieldError.invalid(part.path, name, detail));
  }
  if (keyNames.has(name)) part.object(fieldError.duplicate(part.path, name));
  keyNames.add(name);
  return name;
}

function readSecret(part: DocumentPart): KeyObject | undefined {
  const text = part.text();
  if (text === undefined) return undefined;
  const bytes = decodeBase64(text);
  if (bytes === undefined) {
    part.object(fieldError.invalid(part.path, 'REDACTED', 'secrets must be base64 encoded'));
    return undefined;
  }
  if (!SECRET_BYTES.includes(bytes.byteLength)) {
    const detail = `secret is not of the expected length, got ${bytes.byteLength}, expected one of [${SECRET_BYTES.join(' ')}]`;
    part.object(fieldError.invalid(part.path, 'REDACTED', detail));
    return undefined;
  }
  return createSecretKey(bytes);
}

/** Standard alphabet with padding; line ends are skipped, as Go does. Node alone accepts anything. */
function decodeBase64(text: string): Buffer | undefined {
  const compact = text.replace(/[\r\n]/g, '');
  const wellFormed = /^(?:[A-Za-z\d+/]{4})*(?:[A-Za-z\d+/]{2}==|[A-Za-z\d+/]{3}=)?$/;
  return wellFormed.test(compact) ? Buffer.from(compact, 'base64') : undefined;
}
