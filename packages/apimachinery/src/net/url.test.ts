import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatUrl, hostname, parseRequestUrl, parseUrl, port, queryOf, toText } from './url.ts';
import { UrlError } from './url-escapes.ts';

const written = [
  { text: 'https://a.b/c?d=e#f' },
  { text: 'https://u:p%40@a.b:80/' },
  { text: 'mailto:a@b.c' },
  { text: '/path?' },
  { text: 'file:///etc/hosts' },
  { text: '//host/path' },
  { text: 'HTTP://Host', want: 'http://Host' },
  { text: 'https://a.b/ü x', want: 'https://a.b/%C3%BC%20x' },
  { text: 'https://a.b/%2f', want: 'https://a.b/%2f' },
];
for (const { text, want = text } of written) {
  test(`${text} is formatted as it was parsed`, () =>
    assert.equal(toText(formatUrl(parseUrl(text))), want));
}

const refused = [
  { text: '', want: 'parse "": empty url' },
  { text: 'a b', want: 'parse "a b": invalid URI for request' },
  { text: ':x', want: 'parse ":x": missing protocol scheme' },
  { text: 'http://a b/%zz', want: 'parse "http://a b/%zz": invalid character " " in host name' },
  { text: 'http://%41/', want: 'parse "http://%41/": invalid URL escape "%41"' },
  { text: 'http://a/%4', want: 'parse "http://a/%4": invalid URL escape "%4"' },
  { text: 'http://a:b', want: 'parse "http://a:b": invalid port ":b" after host' },
  { text: 'http://a:1:2', want: 'parse "http://a:1:2": invalid port ":1:2" after host' },
  { text: 'http://u ser@a', want: 'parse "http://u ser@a": net/url: invalid userinfo' },
  { text: 'http://[1.2.3.4]', want: 'parse "http://[1.2.3.4]": invalid IP-literal' },
];
for (const { text, want } of refused) {
  test(`${JSON.stringify(text)} is no request URL`, () => {
    assert.throws(() => parseRequestUrl(text), new UrlError(want));
  });
}

const parts = [
  {
    text: 'HTTPS://Host:1/p?q#f',
    want: { scheme: 'https', host: 'Host:1', query: 'q', fragment: 'f' },
  },
  { text: 'https:opaque', want: { scheme: 'https', host: '', opaque: 'opaque' } },
  { text: '///path', want: { scheme: '', host: '' } },
  { text: 'https://a@b@c', want: { user: { name: 'a@b', password: undefined }, host: 'c' } },
];
for (const { text, want } of parts) {
  test(`the parts of ${text}`, () => assert.partialDeepStrictEqual(parseUrl(text), want));
}

const invalid = [
  {
    text: 'https://x/\n',
    want: 'parse "https://x/\\n": net/url: invalid control character in URL',
  },
  { text: '1:b/c', want: 'parse "1:b/c": first path segment in URL cannot contain colon' },
  { text: 'https://x/#%q', want: 'parse "https://x/#%q": invalid URL escape "%q"' },
];
for (const { text, want } of invalid) {
  test(`${JSON.stringify(text)} is no URL`, () => {
    assert.throws(() => parseUrl(text), new UrlError(want));
  });
}

test('the host and port of a URL', () => {
  assert.equal(hostname(parseUrl('https://[::1]:443/')), '::1');
  assert.equal(port(parseUrl('https://[::1]:443/')), '443');
  assert.equal(port(parseUrl('https://a.b:/')), '');
  assert.equal(toText(hostname(parseUrl('https://bücher.example'))), 'bücher.example');
});

test('invalid query parameters are ignored, and __proto__ is an ordinary name', () => {
  const query = queryOf(parseUrl('/?a=1&a=2&b=%zz&c;d=1&__proto__=x&e+f=%C3%BC'));
  assert.deepEqual(
    [...query],
    [
      ['a', ['1', '2']],
      ['__proto__', ['x']],
      ['e f', ['ü']],
    ],
  );
});

test('long URLs are parsed in linear time', () => {
  const started = process.cpuUsage();
  parseRequestUrl(`https://a.b/${'%41'.repeat(300_000)}`);
  parseRequestUrl(`https://a.b/${'ü'.repeat(300_000)}`);
  const { user, system } = process.cpuUsage(started);
  assert.ok(user + system < 2_000_000, `${user + system} µs`);
});
