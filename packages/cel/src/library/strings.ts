/** cel-go's strings extension, as Kubernetes enables it: its second version. */
import {
  add,
  type CallEstimate,
  fixed,
  type Range,
  STRING_TRAVERSAL_FACTOR,
  scale,
  traversalCost,
} from '../declarations/estimate.ts';
import type { Library } from '../declarations/library.ts';
import { display } from '../values/display.ts';
import { CelError, celError } from '../values/errors.ts';
import { arrayList } from '../values/lists.ts';
import { DYN, INT, listOf, STRING } from '../values/types.ts';
import { type ListValue, type Result, type Step, sizeOf } from '../values/value.ts';
import { declare, global, member, refuseBeyondBudget } from './declare.ts';
import { lowerAscii, quote, replace, split, trimSpace, upperAscii } from './string-changes.ts';
import { formatString } from './string-format.ts';
import { indexOf, lastIndexOf, pointCount, pointToUnit } from './string-positions.ts';

const TEXTS = listOf(STRING);

export const STRINGS: Library = {
  name: 'cel.lib.ext.strings',
  functions: [
    declare(
      'charAt',
      member('string_char_at_int', [STRING, INT], STRING, ([text, index]) =>
        charAt(text as string, index as bigint),
      ),
    ),
    declare(
      'indexOf',
      member('string_index_of_string', [STRING, STRING], INT, ([text, part]) =>
        indexOf(text as string, part as string, 0n),
      ),
      member('string_index_of_string_int', [STRING, STRING, INT], INT, ([text, part, from]) =>
        indexOf(text as string, part as string, from as bigint),
      ),
    ),
    declare(
      'lastIndexOf',
      member('string_last_index_of_string', [STRING, STRING], INT, ([text, part]) =>
        lastIndexOf(text as string, part as string, undefined),
      ),
      member('string_last_index_of_string_int', [STRING, STRING, INT], INT, ([text, part, from]) =>
        lastIndexOf(text as string, part as string, from as bigint),
      ),
    ),
    declare(
      'lowerAscii',
      member('string_lower_ascii', [STRING], STRING, ([text]) => lowerAscii(text as string)),
    ),
    declare(
      'upperAscii',
      member('string_upper_ascii', [STRING], STRING, ([text]) => upperAscii(text as string)),
    ),
    declare(
      'trim',
      member('string_trim', [STRING], STRING, ([text]) => trimSpace(text as string)),
    ),
    declare(
      'replace',
      member(
        'string_replace_string_string',
        [STRING, STRING, STRING],
        STRING,
        ([text, what, by], step) =>
          counted(replace(text as string, what as string, by as string, -1n), step),
      ),
      member(
        'string_replace_string_string_int',
        [STRING, STRING, STRING, INT],
        STRING,
        ([text, what, by, count], step) =>
          counted(replace(text as string, what as string, by as string, count as bigint), step),
      ),
    ),
    declare(
      'split',
      member('string_split_string', [STRING, STRING], TEXTS, ([text, separator]) =>
        arrayList(split(text as string, separator as string, -1n)),
      ),
      member('string_split_string_int', [STRING, STRING, INT], TEXTS, ([text, separator, count]) =>
        arrayList(split(text as string, separator as string, count as bigint)),
      ),
    ),
    declare(
      'substring',
      member('string_substring_int', [STRING, INT], STRING, ([text, start]) =>
        substring(text as string, start as bigint, undefined),
      ),
      member('string_substring_int_int', [STRING, INT, INT], STRING, ([text, start, end]) =>
        substring(text as string, start as bigint, end as bigint),
      ),
    ),
    declare('format', {
      ...member('string_format', [STRING, listOf(DYN)], STRING, ([pattern, args], step) =>
        formatString(pattern as string, args as ListValue, step),
      ),
      actualCost: walkCost,
      estimateCost: ({ target, sizeOf: sizeOfNode }) =>
        target && { cost: scale(sizeOfNode(target), STRING_TRAVERSAL_FACTOR) },
    }),
    declare('strings.quote', {
      ...global('strings_quote', [STRING], STRING, ([text]) => quote(text as string)),
      actualCost: walkCost,
      estimateCost: ({ args: [text], sizeOf: sizeOfNode }) =>
        text && estimateQuote(sizeOfNode(text)),
    }),
    declare(
      'join',
      member('list_join', [TEXTS], STRING, ([list]) => join(list as ListValue, '')),
      member('list_join_string', [TEXTS, STRING], STRING, ([list, separator]) =>
        join(list as ListValue, separator as string),
      ),
    ),
  ],
};

/** A text that was put together from many parts. */
function counted(result: Result, step: Step): Result {
  if (typeof result === 'string') step(result.length / CHARACTERS_PER_STEP);
  return result;
}

const CHARACTERS_PER_STEP = 4;

function walkCost([text]: readonly Result[]): number {
  return traversalCost(sizeOf(text ?? null));
}

/** Two quotes more, and at most every character escaped. */
function estimateQuote(size: Range): CallEstimate {
  const quotes = fixed(2);
  const longest = add(add(size, size), quotes).max;
  return {
    cost: scale(size, STRING_TRAVERSAL_FACTOR),
    resultSize: { min: add(size, quotes).min, max: longest },
  };
}

function charAt(text: string, index: bigint): Result {
  const size = pointCount(text);
  if (index < 0n || index > size) return celError(`index out of range: ${index}`);
  if (index === BigInt(size)) return '';
  return String.fromCodePoint(text.codePointAt(pointToUnit(text, Number(index))) ?? 0);
}

function substring(text: string, start: bigint, end: bigint | undefined): Result {
  const size = pointCount(text);
  if (end !== undefined && start > end) {
    return celError(`invalid substring range. start: ${start}, end: ${end}`);
  }
  for (const place of [start, end ?? start]) {
    if (place < 0n || place > size) return celError(`index out of range: ${place}`);
  }
  const from = pointToUnit(text, Number(start));
  return text.slice(from, end === undefined ? undefined : pointToUnit(text, Number(end)));
}

/** Its cost depends on the length of the result. */
const JOIN_COST_PER_CHARACTER = 0.2;

function join(list: ListValue, separator: string): Result {
  const parts: string[] = [];
  let length = 0;
  for (let index = 0; index < list.size; index++) {
    const part = list.at(index);
    if (part instanceof CelError) return part;
    if (typeof part !== 'string') return celError(`join: invalid input: ${display(part)}`);
    length += part.length + separator.length;
    refuseBeyondBudget((length * JOIN_COST_PER_CHARACTER) / 2);
    parts.push(part);
  }
  return parts.join(separator);
}
