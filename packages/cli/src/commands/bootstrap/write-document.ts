import { type KubeObject, stringifyYaml } from '@tributary/apimachinery';
import { manifestList } from '@tributary/server';

export type Form = 'yaml' | 'json';

/** The same objects are the same bytes; JSON has no place for comments. */
export function writeDocument(
  objects: readonly KubeObject[],
  { form, comments }: { readonly form: Form; readonly comments: readonly string[] },
): string {
  const list = manifestList(objects);
  if (form === 'json') return `${JSON.stringify(withSortedKeys(list), undefined, 2)}\n`;
  const head = comments.map((comment) => `# ${comment}\n`).join('');
  return head + stringifyYaml(list);
}

function withSortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSortedKeys);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, one]) => [key, withSortedKeys(one)] as const);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}
