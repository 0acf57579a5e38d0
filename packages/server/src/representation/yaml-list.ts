import { parseJson, stringifyYaml } from '@tributary/apimachinery';
import type { Chunks } from './form.ts';
import { eachItem, type ListDocument } from './list-items.ts';

/** A list as YAML, item by item; like upstream, fields are sorted by name, including items. */
export async function yamlList({ start, items, chunksOf }: ListDocument): Promise<Chunks> {
  const fields = JSON.parse(`${start}[]}`) as Record<string, unknown>;
  const itemsField = Object.keys(fields).at(-1) ?? '';
  const chunks: Uint8Array[] = [];
  for (const field of Object.keys(fields).sort()) {
    if (field !== itemsField) {
      chunks.push(Buffer.from(stringifyYaml({ [field]: fields[field] })));
      continue;
    }
    chunks.push(Buffer.from(`${field}:\n`));
    await eachItem(items, (item) => {
      const value = parseJson(Buffer.concat(chunksOf(item)));
      // Sequences have the indentation of their field.
      chunks.push(Buffer.from(stringifyYaml([value])));
    });
  }
  return chunks;
}
