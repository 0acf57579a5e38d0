import type { SelectableField } from '@tributary/api/apiextensions-v1';
import type { SelectableField as Selectable } from '@tributary/server';
import { jsonPath } from './json-path.ts';

/** Fields of a version for field selectors. The value of an absent field is the empty string. */
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
    // The path leads through a value that is not an object.
    return undefined;
  }
}

/** Validation accepts only strings, integers and booleans. */
function textOf(value: unknown): string {
  return ['string', 'number', 'bigint', 'boolean'].includes(typeof value) ? String(value) : '';
}
