/** `jsonpatch.escapeKey`, for mutating admission policies. */

import type { Library } from '../declarations/library.ts';
import { STRING } from '../values/types.ts';
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
