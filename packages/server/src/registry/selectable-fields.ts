import type { KubeObject } from '@tributary/apimachinery';
import { fieldText } from '../definition/field-text.ts';

/** The selectable fields that one version declares. */
export interface SelectableVersion {
  readonly apiVersion: string;
  readonly paths: readonly string[];
  /** The values of paths that are not simply fields. */
  readonly values: ReadonlyMap<string, (object: KubeObject) => string>;
  /** The stored object in this version; undefined when only a webhook can convert it. */
  readonly shown: (stored: KubeObject) => KubeObject | undefined;
}

/** One path may mean different fields in different versions, so each version has an entry of its own in the cache. */
export function selectableKey(apiVersion: string, path: string): string {
  return `${apiVersion}:${path}`;
}

/** The values of the selectable fields of all versions of a stored object; undefined when there are none. */
export function selectableFieldsOf(
  versions: readonly SelectableVersion[],
): ((stored: KubeObject) => Readonly<Record<string, string>>) | undefined {
  const declaring = versions.filter(({ paths }) => paths.length > 0);
  if (declaring.length === 0) return undefined;
  return (stored) => {
    const fields: Record<string, string> = {};
    for (const { apiVersion, paths, values, shown } of declaring) {
      const object = shown(stored);
      if (object === undefined) continue;
      for (const path of paths) {
        fields[selectableKey(apiVersion, path)] =
          values.get(path)?.(object) ?? fieldText(object, path);
      }
    }
    return fields;
  };
}
