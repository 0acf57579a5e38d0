import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lastWords } from './last-words.ts';

const cases: { name: string; lines: string; want: string }[] = [
  { name: 'nothing', lines: '', want: '' },
  { name: 'information', lines: 'I1116 07:31:05.355329    2908] "Took the client CA"', want: '' },
  {
    name: 'a sentence',
    lines: 'wardle-apiserver: the store is in use\nTry wardle-apiserver --help',
    want: 'wardle-apiserver: the store is in use',
  },
  {
    name: 'an error of the log, and information after it',
    lines: 'E1116 07:31:05.1  1] "The disk is full"\nI1116 07:31:05.2  1] "Stopping"',
    want: 'E1116 07:31:05.1  1] "The disk is full"',
  },
  {
    name: 'an error that nobody caught',
    lines: [
      'node:events:486',
      '      throw er;',
      '      ^',
      '',
      'Error: write EPIPE',
      '    at afterWriteDispatched (node:internal/stream_base_commons:159:15) {',
      "  code: 'EPIPE'",
      '}',
      '',
      'Node.js v24.11.1',
    ].join('\n'),
    want: 'Error: write EPIPE',
  },
];
for (const { name, lines, want } of cases) {
  test(`the last words of a program: ${name}`, () => {
    assert.equal(lines.split('\n').reduce(lastWords, ''), want);
  });
}
