import { GoTypeError, type KubeObject, parseJson } from '@tributary/apimachinery';
import type { StoredForm } from '../conversion/stored-form.ts';
import type { ResourceDefinition } from '../definition/resource.ts';
import { applySchemaDefaults } from '../schema/apply-defaults.ts';
import { pruneObject } from '../schema/prune.ts';
import { versionName } from './version-name.ts';

/**
 * Stored bytes, pruned and with defaults as the schema of their version says now; the same bytes when that changes
 * nothing. `forms` are those of all versions, by `apiVersion`.
 */
export function settleStored(
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
      // What cannot be understood any more is still shown as it is.
      if (error instanceof GoTypeError) return stored;
      throw error;
    }
    applySchemaDefaults(object, schema);
    const settled = form.encode(object);
    return Buffer.compare(settled, stored) === 0 ? stored : settled;
  };
}
