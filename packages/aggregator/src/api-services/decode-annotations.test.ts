import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { defaultBackendLimits } from '@tributary/proxy';
import { decodeAnnotations } from './decode-annotations.ts';
import { annotations } from './registration.ts';

describe('the URL of a server', () => {
  const good = [
    { text: 'https://localhost', want: 'https://localhost/' },
    { text: 'https://localhost/', want: 'https://localhost/' },
    { text: 'https://wardle.example.com:7443', want: 'https://wardle.example.com:7443/' },
    { text: 'https://127.0.0.1:65535', want: 'https://127.0.0.1:65535/' },
    { text: 'https://[::1]:7443', want: 'https://[::1]:7443/' },
  ];
  for (const { text, want } of good) {
    test(`may be ${text}`, () => {
      const { url, problems } = decodeAnnotations({ [annotations.url]: text });
      assert.equal(url?.href, want);
      assert.deepEqual(problems, []);
    });
  }
  const bad = [
    '',
    'localhost:443',
    'http://localhost',
    'HTTPS://localhost',
    'https:localhost',
    'https:///localhost',
    'https://',
    'https://localhost/path',
    'https://localhost?a=b',
    'https://localhost#a',
    'https://user@localhost',
    'https://user:password@localhost',
    'https://localhost:0',
    'https://localhost:65536',
    'https://local host',
    'https://localhost\t',
    ' https://localhost',
    'https://localhost\\path',
    'https://[::1',
    `https://${'a'.repeat(254)}`,
  ];
  for (const text of bad) {
    test(`may not be ${JSON.stringify(text.slice(0, 40))}`, () => {
      const { url, problems } = decodeAnnotations({ [annotations.url]: text });
      assert.equal(url, undefined);
      assert.deepEqual(problems, [
        {
          annotation: annotations.url,
          value: text,
          detail: 'must be https://HOST or https://HOST:PORT, without a path, a query or a user',
        },
      ]);
    });
  }
});

describe('limits', () => {
  const cases = [
    { text: '1', want: 1 },
    { text: '9007199254740991', want: 9_007_199_254_740_991 },
    { text: '0', want: undefined },
    { text: '-1', want: undefined },
    { text: '+1', want: undefined },
    { text: '01', want: undefined },
    { text: '1.5', want: undefined },
    { text: '1e3', want: undefined },
    { text: '0x10', want: undefined },
    { text: ' 1', want: undefined },
    { text: '', want: undefined },
    { text: '9007199254740992', want: undefined },
    { text: 'many', want: undefined },
  ];
  const fields = [
    'requestsInFlightMax',
    'watchesMax',
    'bytesPerSecondMax',
    'requestsPerSecondMax',
  ] as const;
  for (const field of fields) {
    for (const { text, want } of cases) {
      test(`${field} of ${JSON.stringify(text)} is ${want ?? 'the default'}`, () => {
        const { limits, problems } = decodeAnnotations({ [annotations[field]]: text });
        assert.deepEqual(limits, {
          ...defaultBackendLimits,
          ...(want !== undefined && { [field]: want }),
        });
        assert.deepEqual(
          problems.map(({ annotation }) => annotation),
          want === undefined ? [annotations[field]] : [],
        );
      });
    }
  }
});

const timeouts = [
  { text: '10s', want: 10_000 },
  { text: '1m30s', want: 90_000 },
  { text: '1ms', want: 1 },
  { text: '1h', want: 3_600_000 },
  { text: '1h1ms', want: undefined },
  { text: '0s', want: undefined },
  { text: '-1s', want: undefined },
  { text: '10', want: undefined },
  { text: '', want: undefined },
];
for (const { text, want } of timeouts) {
  test(`a request timeout of ${JSON.stringify(text)} is ${want ?? 'the default'}`, () => {
    const { limits, problems } = decodeAnnotations({ [annotations.requestTimeout]: text });
    assert.equal(limits.requestTimeoutMs, want);
    assert.equal(problems.length, want === undefined ? 1 : 0);
  });
}

const tokens = [
  { text: 'true', want: true, problems: 0 },
  { text: 'false', want: false, problems: 0 },
  { text: 'True', want: false, problems: 1 },
  { text: 'yes', want: false, problems: 1 },
  { text: '', want: false, problems: 1 },
];
for (const { text, want, problems } of tokens) {
  test(`a token is ${want ? '' : 'not '}forwarded for ${JSON.stringify(text)}`, () => {
    const read = decodeAnnotations({ [annotations.forwardsToken]: text });
    assert.equal(read.forwardsToken, want);
    assert.equal(read.problems.length, problems);
  });
}

test('others say nothing, and neither does what every object has', () => {
  const given = { 'example.com/url': 'x', 'aggregation.tributary.dev/other': 'y' };
  assert.deepEqual(decodeAnnotations(given), decodeAnnotations(undefined));
  assert.deepEqual(decodeAnnotations(undefined).limits, defaultBackendLimits);
});

test('every problem is told, and what is right is taken', () => {
  const { url, limits, problems } = decodeAnnotations({
    [annotations.url]: 'https://a.example.com',
    [annotations.watchesMax]: 'x',
    [annotations.requestsInFlightMax]: '7',
    [annotations.forwardsToken]: 'x',
  });
  assert.equal(url?.hostname, 'a.example.com');
  assert.equal(limits.requestsInFlightMax, 7);
  assert.deepEqual(problems.map(({ annotation }) => annotation).sort(), [
    annotations.forwardsToken,
    annotations.watchesMax,
  ]);
});
