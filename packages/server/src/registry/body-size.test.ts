import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ObjectSchema } from '../schema/object-schema.ts';
import { METADATA_VALUES_MAX, requireFewValues, VALUES_MAX } from './body-size.ts';

const custom = { typed: undefined };
const typed = (valuesMax?: number) =>
  ({ typed: { kind: 'Thing', ...(valuesMax && { valuesMax }) } }) as Pick<ObjectSchema, 'typed'>;
const list = (count: number) => Array.from({ length: count }, () => 0);
const map = (count: number) => Object.fromEntries(list(count).map((_, at) => [`k${at}`, '']));
const half = METADATA_VALUES_MAX / 2;

const rows: readonly {
  name: string;
  document: unknown;
  schema: Pick<ObjectSchema, 'typed'>;
  isRefused: boolean;
}[] = [
  { name: 'no object', document: null, schema: typed(), isRefused: false },
  {
    name: 'metadata that is no object',
    document: { metadata: 1 },
    schema: typed(),
    isRefused: false,
  },
  {
    name: 'metadata at the bound',
    document: { metadata: { labels: map(half), finalizers: list(half) } },
    schema: custom,
    isRefused: false,
  },
  {
    name: 'metadata beyond the bound',
    document: { metadata: { labels: map(half), finalizers: list(half), managedFields: [0] } },
    schema: custom,
    isRefused: true,
  },
  {
    name: 'a large custom resource',
    document: { spec: { list: list(2 * VALUES_MAX) } },
    schema: custom,
    isRefused: false,
  },
  {
    name: 'a built-in kind at the bound',
    document: { list: list(VALUES_MAX - 1) },
    schema: typed(),
    isRefused: false,
  },
  {
    name: 'a built-in kind beyond the bound',
    document: { list: list(VALUES_MAX) },
    schema: typed(),
    isRefused: true,
  },
  {
    name: 'many small parts',
    document: { list: list(VALUES_MAX / 4).map(() => ({ a: { b: [1] } })) },
    schema: typed(),
    isRefused: true,
  },
  {
    name: 'a kind with a larger bound',
    document: { list: list(2 * VALUES_MAX) },
    schema: typed(Number.POSITIVE_INFINITY),
    isRefused: false,
  },
];
for (const { name, document, schema, isRefused } of rows) {
  test(`a body with ${name} ${isRefused ? 'is refused' : 'is accepted'}`, () => {
    const check = () => requireFewValues(document, schema);
    if (isRefused) assert.throws(check, { code: 413, reason: 'RequestEntityTooLarge' });
    else check();
  });
}
