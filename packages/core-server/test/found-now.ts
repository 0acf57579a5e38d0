import assert from 'node:assert/strict';
import type { FieldError } from '@tributary/apimachinery';

/** The result of a hook that is synchronous for built-in kinds. */
export function foundNow(
  found: readonly FieldError[] | Promise<readonly FieldError[]> | undefined,
): readonly FieldError[] {
  assert.ok(found !== undefined && !(found instanceof Promise));
  return found;
}
