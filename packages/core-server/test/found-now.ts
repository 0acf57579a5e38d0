import assert from 'node:assert/strict';
import type { FieldError } from '@tributary/apimachinery';

/** What a hook says of an object; built-in kinds are judged at once. */
export function foundNow(
  found: readonly FieldError[] | Promise<readonly FieldError[]> | undefined,
): readonly FieldError[] {
  assert.ok(found !== undefined && !(found instanceof Promise));
  return found;
}
