import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseLogOptions } from './log-options.ts';

const requested = [
  { name: 'nothing', query: '', wanted: '' },
  { name: 'the container is not told twice', query: 'container=a', wanted: '' },
  {
    name: 'flags',
    query: 'follow=true&previous=1&timestamps=false',
    wanted: 'follow=true&previous=true',
  },
  {
    name: 'numbers',
    query: 'tailLines=0&limitBytes=9007199254740993',
    wanted: 'limitBytes=9007199254740993&tailLines=0',
  },
  {
    name: 'a time',
    query: 'sinceTime=2020-01-01T00:00:00Z',
    wanted: 'sinceTime=2020-01-01T00%3A00%3A00Z',
  },
];
for (const { name, query, wanted } of requested) {
  test(`the kubelet query of ${name}`, () => {
    assert.equal(parseLogOptions(new URLSearchParams(query), 'a').query, wanted);
  });
}

const refused = [
  { query: 'tailLines=x', code: 400 },
  { query: 'tailLines=9223372036854775808', code: 400 },
  { query: 'sinceTime=yesterday', code: 400 },
  { query: 'tailLines=-1', code: 422 },
  { query: 'limitBytes=0', code: 422 },
  { query: 'sinceSeconds=0', code: 422 },
  { query: 'sinceSeconds=1&sinceTime=2020-01-01T00:00:00Z', code: 422 },
  { query: 'stream=All', code: 422 },
];
for (const { query, code } of refused) {
  test(`${query} is refused`, () => {
    assert.throws(() => parseLogOptions(new URLSearchParams(query), 'a'), { code });
  });
}
