import type { Library } from '../declarations/library.ts';
import { STANDARD_MACROS } from '../syntax/macros.ts';
import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listOf,
  mapOf,
  NULL,
  STRING,
  TIMESTAMP,
  TYPE,
  UINT,
} from '../values/types.ts';
import { CONVERSIONS } from './standard-conversions.ts';
import { OPERATORS } from './standard-operators.ts';
import { STRING_FUNCTIONS } from './standard-strings.ts';
import { TIME_FUNCTIONS } from './standard-time.ts';

/** Contained in every environment of CEL: operators, conversions, the first macros, strings and times. */
export const STANDARD_LIBRARY: Library = {
  name: 'standard',
  macros: STANDARD_MACROS,
  functions: [...OPERATORS, ...CONVERSIONS, ...STRING_FUNCTIONS, ...TIME_FUNCTIONS],
  types: [
    BOOL,
    BYTES,
    DOUBLE,
    DURATION,
    INT,
    listOf(DYN),
    mapOf(DYN, DYN),
    NULL,
    STRING,
    TIMESTAMP,
    TYPE,
    UINT,
  ],
};
