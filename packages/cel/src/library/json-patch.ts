/** `jsonpatch.escapeKey`, for mutating admission policies. */
import { STRING } from '../types.ts';
import type { Library } from './declaration.ts';
import { declare, global } from './declare.ts';

export const JSON_PATCH: Library = {
  name: 'kubernetes.jsonpatch',
  functions: [
    declare(
      'jsonpatch.escapeKey',
      global('string_jsonpatch_escapeKey_string', [STRING], STRING, ([key]) =>
        (key as string).replaceAll('~', '~0').replaceAll('/', '~1'),
      ),
    ),
  ],
};
