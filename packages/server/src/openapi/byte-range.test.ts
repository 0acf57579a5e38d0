import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requestFor } from '../../test/request-fixture.ts';
import { byteRange } from './byte-range.ts';

const validators = { tag: '"t"', modifiedMs: Date.parse('2023-11-14T22:13:20.700Z') };

const cases = [
  { name: 'no range', range: undefined, want: undefined },
  { name: 'from the start', range: 'bytes=0-3', want: { start: 0, end: 4 } },
  { name: 'to the end', range: 'bytes=4-', want: { start: 4, end: 10 } },
  { name: 'beyond the end', range: 'bytes=4-99', want: { start: 4, end: 10 } },
  { name: 'the last ones', range: 'bytes=-3', want: { start: 7, end: 10 } },
  { name: 'more than all', range: 'bytes=-99', want: { start: 0, end: 10 } },
  { name: 'the last none', range: 'bytes=-0', want: undefined },
  { name: 'after the end', range: 'bytes=10-', want: undefined },
  { name: 'backwards', range: 'bytes=5-2', want: undefined },
  { name: 'nothing', range: 'bytes=-', want: undefined },
  { name: 'several', range: 'bytes=0-1,4-5', want: undefined },
  { name: 'another unit', range: 'lines=0-1', want: undefined },
  {
    name: 'of the same document, by tag',
    range: 'bytes=0-3',
    headers: { 'If-Range': '"t"' },
    want: { start: 0, end: 4 },
  },
  {
    name: 'of the same document, by date',
    range: 'bytes=0-3',
    headers: { 'If-Range': 'Tue, 14 Nov 2023 22:13:20 GMT' },
    want: { start: 0, end: 4 },
  },
  {
    name: 'of another document',
    range: 'bytes=0-3',
    headers: { 'If-Range': '"other"' },
    want: undefined,
  },
  {
    name: 'of what may be compressed',
    range: 'bytes=0-3',
    headers: { 'Accept-Encoding': 'gzip' },
    want: undefined,
  },
] as const;

for (const { name, range, want, ...rest } of cases) {
  test(`a range of ten bytes: ${name}`, () => {
    const headers = { ...('headers' in rest && rest.headers), ...(range && { Range: range }) };
    const request = requestFor('/openapi/v2', { headerLines: Object.entries(headers).flat() });
    assert.deepEqual(byteRange(request, 10, validators), want);
  });
}
