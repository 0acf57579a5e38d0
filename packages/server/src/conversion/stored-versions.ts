import {
  formatGroupVersion,
  type GroupVersionKind,
  type KubeObject,
  parseJson,
} from '@tributary/apimachinery';
import type { StoredForm } from './stored-form.ts';
import type { VersionView } from './version-view.ts';

/** Decodes objects that were stored in an earlier storage version; the next write stores them in the current one. */
export function upgradeStored(
  { group }: GroupVersionKind,
  views: ReadonlyMap<string, VersionView>,
  form: StoredForm,
): (stored: Uint8Array) => Uint8Array {
  const byApiVersion = new Map(
    [...views].map(([version, view]) => [formatGroupVersion({ group, version }), view]),
  );
  return (stored) => {
    const object = parseJson(stored) as KubeObject;
    const view = byApiVersion.get(object.apiVersion);
    if (view === undefined) throw new Error(`it is of version ${object.apiVersion}, which is gone`);
    return form.encode(view.toStorage(object));
  };
}
