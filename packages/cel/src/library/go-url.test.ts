import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatUrl, hostname, parseRequestUrl, parseUrl, port, queryOf, toText } from './go-url.ts';
import { UrlError } from './url-escapes.ts';

/** Without another form they are written as they were. */
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
  test(`${text} is written again`, () => assert.equal(toText(formatUrl(parseUrl(text))), want));
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
  test(`${JSON.stringify(text)} is refused`, () => {
    assert.throws(() => parseRequestUrl(text), new UrlError(want));
  });
}

test('hosts and ports', () => {
  assert.equal(hostname(parseUrl('https://[::1]:443/')), '::1');
  assert.equal(port(parseUrl('https://[::1]:443/')), '443');
  assert.equal(port(parseUrl('https://a.b:/')), '');
  assert.equal(toText(hostname(parseUrl('https://bücher.example'))), 'bücher.example');
});

test('parameters that cannot be read are left out, and names are only data', () => {
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

test('long texts take no time', () => {
  const started = process.cpuUsage();
  parseRequestUrl(`https://a.b/${'%41'.repeat(300_000)}`);
  parseRequestUrl(`https://a.b/${'ü'.repeat(300_000)}`);
  const { user, system } = process.cpuUsage(started);
  assert.ok(user + system < 2_000_000, `${user + system} µs`);
});
