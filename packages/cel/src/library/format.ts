/** Kubernetes' named formats: `format.dns1123Label().validate(text)`. */

import type { Library } from '../declarations/library.ts';
import { NO_SUCH_OVERLOAD } from '../values/errors.ts';
import { arrayList } from '../values/lists.ts';
import { listOf, objectType, optionalOf, STRING, type Type } from '../values/types.ts';
import {
  NONE,
  type OpaqueValue,
  Optional,
  type Result,
  sizeOf,
  type Value,
} from '../values/value.ts';
import { declare, global, member } from './declare.ts';
import { regexCost } from './kubernetes-costs.ts';
import { NAMED_FORMATS, type NamedFormat } from './named-formats.ts';

export const FORMAT_TYPE: Type = objectType('kubernetes.NamedFormat');

export interface FormatValue extends OpaqueValue {
  readonly format: NamedFormat;
}

export const FORMAT: Library = {
  name: 'kubernetes.format',
  functions: [
    declare('validate', {
      ...member(
        'format-validate',
        [FORMAT_TYPE, STRING],
        optionalOf(listOf(STRING)),
        ([format, text]) => validate((format as FormatValue).format, text as string),
      ),
      actualCost: ([format, text]) =>
        isFormat(format) ? regexCost(sizeOf(text ?? null), format.format.patternSize) : 1,
    }),
    declare(
      'format.named',
      global('format-named', [STRING], optionalOf(FORMAT_TYPE), ([name]) => {
        const format = NAMED_FORMATS.get(name as string);
        return format === undefined ? NONE : new Optional(formatValue(format));
      }),
    ),
    ...[...NAMED_FORMATS].map(([name, format]) =>
      declare(
        `format.${name}`,
        global(`format.${name}`, [], FORMAT_TYPE, () => formatValue(format)),
      ),
    ),
  ],
};

export function isFormat(value: Result | undefined): value is FormatValue {
  return typeof value === 'object' && value !== null && 'format' in value;
}

function formatValue(format: NamedFormat): FormatValue {
  return {
    kind: 'opaque',
    type: FORMAT_TYPE,
    format,
    equalityCost: 1,
    equals: (other) => (isFormat(other) ? other.format.name === format.name : NO_SUCH_OVERLOAD),
  };
}

function validate({ problems }: NamedFormat, text: string): Value {
  const found = problems(text);
  return found.length === 0 ? NONE : new Optional(arrayList(found));
}
