/** Kubernetes' `find` and `findAll`; `matches` is of the standard library. */

import type { Call, Library, Overload } from '../declarations/library.ts';
import { compileRegexp, compileWith, type Regexp } from '../regexp/regexp.ts';
import { type CelError, celError, NO_SUCH_OVERLOAD } from '../values/errors.ts';
import { arrayList } from '../values/lists.ts';
import { INT, listOf, STRING } from '../values/types.ts';
import type { Result, Step, Value } from '../values/value.ts';
import { declare, member } from './declare.ts';

type Search = (regexp: Regexp, args: readonly Value[], step: Step) => Result;

export const REGEX: Library = {
  name: 'kubernetes.regex',
  functions: [
    declare(
      'find',
      searching(member('string_find_string', [STRING, STRING], STRING, withText(find))),
    ),
    declare(
      'findAll',
      ...[
        member('string_find_all_string', [STRING, STRING], listOf(STRING), withText(findAll)),
        member(
          'string_find_all_string_int',
          [STRING, STRING, INT],
          listOf(STRING),
          withText(findAll),
        ),
      ].map((overload) => searching(overload)),
    ),
  ],
};

function find(regexp: Regexp, [text]: readonly Value[], step: Step): Result {
  if (typeof text !== 'string') return NO_SUCH_OVERLOAD;
  const match = regexp.find(text, step);
  return match === undefined ? '' : text.slice(match.start, match.end);
}

function findAll(regexp: Regexp, [text, , limit]: readonly Value[], step: Step): Result {
  if (typeof text !== 'string') return NO_SUCH_OVERLOAD;
  const count = typeof limit === 'bigint' ? Number(limit) : -1;
  const found = regexp.findAll(text, count, step);
  return arrayList(found.map(({ start, end }) => text.slice(start, end)));
}

/** Compiles the pattern with every call. */
function withText(search: Search): Call {
  return (args, step) => {
    const [, pattern] = args;
    if (typeof pattern !== 'string') return NO_SUCH_OVERLOAD;
    const compiled = compileWith(pattern, step);
    return compiled.ok
      ? search(compiled.regexp, args, step)
      : celError(`Illegal regex: ${compiled.error}`);
  };
}

/** A pattern that is written out is compiled once, and is an error of the expression when it is none. */
function searching(overload: Overload): Overload {
  const search = overload.id === 'string_find_string' ? find : findAll;
  return {
    ...overload,
    prepare: ([, pattern]): Call | CelError | undefined => {
      if (typeof pattern !== 'string') return undefined;
      const compiled = compileRegexp(pattern);
      if (!compiled.ok) return celError(compiled.error);
      return (args, step) => search(compiled.regexp, args, step);
    },
  };
}
