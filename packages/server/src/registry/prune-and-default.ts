import { GoTypeError, type KubeObject, parseJson } from '@tributary/apimachinery';
import type { StoredForm } from '../conversion/stored-form.ts';
import type { ResourceDefinition } from '../definition/resource.ts';
import { applySchemaDefaults } from '../schema/apply-defaults.ts';
import { pruneObject } from '../schema/prune.ts';
import { versionName } from './version-name.ts';

/**
 * Stored bytes, pruned and defaulted by the current schema of their version; the same bytes when that changes nothing.
 * `forms` are those of all versions, by `apiVersion`.
 */
export function pruneAndDefault(
  { versions }: Pick<ResourceDefinition, 'versions'>,
  forms: ReadonlyMap<string, StoredForm>,
): (stored: Uint8Array) => Uint8Array {
  return (stored) => {
    const object = parseJson(stored) as KubeObject;
    const schema = versions.get(versionName(object.apiVersion))?.schema;
    const form = forms.get(object.apiVersion);
    if (schema === undefined || form === undefined) return stored;
    try {
      pruneObject(object, schema);
    } catch (error) {
      // A value that can no longer be decoded is returned unchanged.
      if (error instanceof GoTypeError) return stored;
      throw error;
    }
    applySchemaDefaults(object, schema);
    const encoded = form.encode(object);
    return Buffer.compare(encoded, stored) === 0 ? stored : encoded;
  };
}
