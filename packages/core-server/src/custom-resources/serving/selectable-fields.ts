import type { SelectableField } from '@tributary/api/apiextensions-v1';
import type { SelectableField as Selectable } from '@tributary/server';
import { jsonPath } from './json-path.ts';

/** Fields of a version that field selectors may name; what an object does not have is the empty text. */
export function customSelectableFields(
  fields: readonly SelectableField[] = [],
): readonly Selectable[] {
  return fields.map(({ jsonPath: path }) => {
    let find: ReturnType<typeof jsonPath> | undefined;
    return {
      path: path.replace(/^\./, ''),
      value: (object) => {
        find ??= jsonPath(path);
        return textOf(firstOf(find, object));
      },
    };
  });
}

function firstOf(find: ReturnType<typeof jsonPath>, object: unknown): unknown {
  try {
    return find(object)[0];
  } catch {
    // A path through something that is no object finds nothing.
    return undefined;
  }
}

/** Validation has let through only texts, whole numbers and flags. */
function textOf(value: unknown): string {
  return ['string', 'number', 'bigint', 'boolean'].includes(typeof value) ? String(value) : '';
}
