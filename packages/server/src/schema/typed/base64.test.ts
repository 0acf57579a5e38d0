import assert from 'node:assert/strict';
import test from 'node:test';
import { cpuMs as cpuMsOf } from '../../../../../test/harness/own-time.ts';
import { decodeBase64 } from './base64.ts';

const good = [
  { name: 'nothing', text: '', canonical: '' },
  { name: 'whole', text: 'YWJj', canonical: 'YWJj' },
  { name: 'padded', text: 'YQ==', canonical: 'YQ==' },
  { name: 'line ends anywhere', text: '\r\nY\nW\rJj\n', canonical: 'YWJj' },
  { name: 'a line end within the padding', text: 'YQ=\n=', canonical: 'YQ==' },
  { name: 'bits that are not used', text: 'YR==', canonical: 'YQ==' },
  { name: 'all letters', text: '+/+/', canonical: '+/+/' },
];
for (const { name, text, canonical } of good) {
  test(`base64 with ${name} is decoded`, () =>
    assert.deepEqual(decodeBase64(text), { ok: true, canonical }));
}

/** As Go's encoding/base64 counts. */
const bad = [
  { name: 'another letter', text: '?', at: 0 },
  { name: 'a letter of the other alphabet', text: 'YW-j', at: 2 },
  { name: 'a letter beyond ASCII, counted in bytes', text: 'YWJjä', at: 4 },
  { name: 'no padding', text: 'YWI', at: 0 },
  { name: 'one letter', text: 'YWJjY', at: 4 },
  { name: 'half of the padding', text: 'YQ=', at: 3 },
  { name: 'no padding after a line end', text: 'YWJj\nY', at: 5 },
  { name: 'padding too early', text: 'Y===', at: 1 },
  { name: 'padding that is none', text: 'YQ=Y', at: 2 },
  { name: 'something after the padding', text: 'YQ==YQ==', at: 4 },
];
for (const { name, text, at } of bad) {
  test(`base64 with ${name} is an error`, () => {
    const message = `illegal base64 data at input byte ${at}`;
    assert.deepEqual(decodeBase64(text), { ok: false, message });
  });
}

test('base64 of a mebibyte is decoded in bounded time', () => {
  const text = Buffer.alloc(1024 * 1024, 'a').toString('base64');
  const cpuMs = cpuMsOf(() => {
    assert.equal(decodeBase64(text).ok, true);
    assert.equal(decodeBase64(text.replaceAll('YWFh', 'YWFh\n')).ok, true);
    assert.equal(decodeBase64(`${text}\n?`).ok, false);
  });
  // A twentieth of that; a quadratic algorithm takes many times as long.
  assert.ok(cpuMs < 2000, `${cpuMs} ms`);
});
