/** Embedded objects: their type and metadata follow the rules of every object. */
import {
  decodeObjectMeta,
  dns1035LabelErrors,
  type FieldError,
  type FieldPath,
  fieldError,
  GoTypeError,
  parseGroupVersion,
  validateObjectMetaCreate,
  validatePathSegmentName,
} from '@tributary/apimachinery';
import { childPath, keyPath } from './list-types.ts';
import { isRecord, type SchemaNode } from './schema-node.ts';
import type { NodeSet } from './sought-nodes.ts';

/** `sought` are the schemas that contain embedded objects. */
export function validateEmbedded(
  node: SchemaNode,
  value: unknown,
  path: FieldPath | undefined,
  sought: NodeSet,
): FieldError[] {
  if (!sought.has(node)) return [];
  if (Array.isArray(value)) {
    const { items } = node;
    if (items === undefined || path === undefined) return [];
    return value.flatMap((one, at) => validateEmbedded(items, one, path.index(at), sought));
  }
  if (!isRecord(value)) return [];
  const { properties, additionalProperties } = node;
  const own = node.embeddedResource && path !== undefined ? validateResource(value, path) : [];
  const inner = Object.entries(value).flatMap(([name, one]) => {
    const field = properties.get(name);
    if (field !== undefined) return validateEmbedded(field, one, childPath(path, name), sought);
    if (!additionalProperties) return [];
    return validateEmbedded(additionalProperties, one, keyPath(path, name), sought);
  });
  return [...own, ...inner];
}

function validateResource(value: Record<string, unknown>, path: FieldPath): FieldError[] {
  const missing = ['apiVersion', 'kind'].filter((name) => !Object.hasOwn(value, name));
  return [
    ...missing.map((name) => fieldError.required(path.child(name), '')),
    ...validateText(value.apiVersion, path.child('apiVersion'), (text) =>
      parseGroupVersion(text) === undefined ? `unexpected GroupVersion string: ${text}` : undefined,
    ),
    ...validateText(value.kind, path.child('kind'), kindError),
    ...validateMetadata(value.metadata, path.child('metadata')),
  ];
}

function validateText(
  value: unknown,
  path: FieldPath,
  rule: (text: string) => string | undefined,
): FieldError[] {
  if (value === undefined) return [];
  if (typeof value !== 'string') return [fieldError.invalid(path, value, 'must be a string')];
  const detail = value === '' ? 'must not be empty' : rule(value);
  return detail === undefined ? [] : [fieldError.invalid(path, value, detail)];
}

function kindError(kind: string): string | undefined {
  const errors = dns1035LabelErrors(kind.toLowerCase());
  if (errors.length === 0) return undefined;
  return `may have mixed case, but should otherwise match: ${errors.join(',')}`;
}

function validateMetadata(metadata: unknown, path: FieldPath): FieldError[] {
  if (metadata === undefined) return [];
  const error = embeddedMetaError(metadata);
  if (error !== undefined) return [fieldError.invalid(path, metadata, error)];
  const meta = decodeObjectMeta({ metadata }, '');
  return validateObjectMetaCreate(
    // The name is optional: the controller that creates the object may set it.
    { ...meta, name: meta.name || 'fakename' },
    { namespaced: (meta.namespace ?? '') !== '', validateName: validatePathSegmentName, path },
  );
}

/** The error of Go's decoder for metadata of a wrong type. */
export function embeddedMetaError(metadata: unknown): string | undefined {
  try {
    decodeObjectMeta({ metadata }, '');
    return undefined;
  } catch (error) {
    if (!(error instanceof GoTypeError)) throw error;
    return error.message
      .replace('Go struct field .metadata of type', 'Go value of type')
      .replace(/(Go struct field \w+)\.metadata\./, '$1.');
  }
}
