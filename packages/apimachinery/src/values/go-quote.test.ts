import assert from 'node:assert/strict';
import { test } from 'node:test';
import { goQuote, goQuoteRune, goTimeQuote } from './go-quote.ts';

const strings = [
  { name: 'empty', input: '', want: '""' },
  { name: 'plain', input: 'abc', want: '"abc"' },
  { name: 'quotes and backslashes', input: 'a"b\\c', want: '"a\\"b\\\\c"' },
  { name: 'named escapes', input: '\x07\x08\x0c\n\r\t\x0b', want: '"\\a\\b\\f\\n\\r\\t\\v"' },
  { name: 'other control characters', input: '\x00\x1b\x7f', want: '"\\x00\\x1b\\x7f"' },
  { name: 'letters beyond ASCII', input: 'café \u4e16', want: '"café \u4e16"' },
  { name: 'an emoji', input: '\u{1f600}', want: '"\u{1f600}"' },
  { name: 'a no-break space', input: '\u00a0', want: '"\\u00a0"' },
  { name: 'a zero-width space', input: '\u200b', want: '"\\u200b"' },
  { name: 'a soft hyphen', input: '\u00ad', want: '"\\u00ad"' },
  { name: 'a combining mark', input: 'e\u0301', want: '"e\u0301"' },
  { name: 'the byte order mark', input: '\ufeff', want: '"\\ufeff"' },
  { name: 'the replacement character', input: '\ufffd', want: '"\ufffd"' },
  { name: 'a tag beyond the basic plane', input: '\u{e0001}', want: '"\\U000e0001"' },
  { name: 'single quotes stay', input: "it's", want: '"it\'s"' },
];
for (const { name, input, want } of strings) {
  test(`goQuote: ${name}`, () => assert.equal(goQuote(input), want));
}

test('a lone surrogate prints as the replacement character', () => {
  assert.equal(goQuote('a\ud800b'), '"a\ufffdb"');
});

test('a rune is quoted with single quotes', () => {
  assert.equal(goQuoteRune('x'), "'x'");
  assert.equal(goQuoteRune("'"), "'\\''");
  assert.equal(goQuoteRune('"'), "'\"'");
  assert.equal(goQuoteRune('\n'), "'\\n'");
});

test('the time package quotes byte by byte', () => {
  assert.equal(goTimeQuote('5µs"\n'), '"5\\xc2\\xb5s\\"\\x0a"');
});
