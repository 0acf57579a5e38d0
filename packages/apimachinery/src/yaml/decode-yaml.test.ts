import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cpuMs as cpuMsOf } from '../../../../test/harness/own-time.ts';
import { yamlReadingCases } from '../../test/yaml-cases.ts';
import { decodeJson } from '../json/parse-json.ts';
import { decodeYaml } from './decode-yaml.ts';
import { YamlError } from './yaml-error.ts';

for (const { text, json, error, strict } of yamlReadingCases) {
  test(`decodes ${JSON.stringify(text)}`, () => {
    const bytes = Buffer.from(text);
    if (json === undefined) {
      assert.throws(() => decodeYaml(bytes), { name: 'YamlError', message: error });
      return;
    }
    const decoded = decodeYaml(bytes);
    assert.deepEqual(decoded.value, decodeJson(Buffer.from(json)).value);
    assert.equal(decoded.strictError, strict);
  });
}

const bytesRows = [
  {
    name: 'a continuation byte at the start',
    bytes: [0x61, 0x80],
    error: 'yaml: invalid leading UTF-8 octet',
  },
  {
    name: 'an incomplete character',
    bytes: [0x61, 0xc3],
    error: 'yaml: incomplete UTF-8 octet sequence',
  },
  {
    name: 'an invalid trailing byte',
    bytes: [0xc3, 0x61],
    error: 'yaml: invalid trailing UTF-8 octet',
  },
  {
    name: 'an overlong character',
    bytes: [0xc0, 0x80],
    error: 'yaml: invalid length of a UTF-8 sequence',
  },
  {
    name: 'half of a surrogate pair',
    bytes: [0xed, 0xa0, 0x80],
    error: 'yaml: invalid Unicode character',
  },
  { name: 'a null byte', bytes: [0x61, 0x00], error: 'yaml: control characters are not allowed' },
];

for (const { name, bytes, error } of bytesRows) {
  test(`rejects ${name}`, () => {
    assert.throws(() => decodeYaml(Uint8Array.from(bytes)), { name: 'YamlError', message: error });
  });
}

test('UTF-16 is detected by its byte order mark', () => {
  const little = Buffer.from('\ufeffa: é\n', 'utf16le');
  assert.deepEqual(decodeYaml(little).value, { a: 'é' });
  assert.deepEqual(decodeYaml(Buffer.from(little).swap16()).value, { a: 'é' });
});

test('aliases that expand to billions of nodes are rejected', () => {
  const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]'];
  for (let at = 1; at < 10; at += 1) {
    lines.push(`a${at}: &a${at} [${Array.from({ length: 10 }, () => `*a${at - 1}`).join(', ')}]`);
  }
  const excessive = { name: 'YamlError', message: 'yaml: document contains excessive aliasing' };
  assert.throws(() => decodeYaml(Buffer.from(lines.join('\n'))), excessive);
});

test('nesting is limited, including through aliases', () => {
  const tooDeep = { name: 'YamlError', message: 'yaml: exceeded max depth of 1000' };
  const flow = (depth: number) => Buffer.from('['.repeat(depth) + ']'.repeat(depth));
  assert.throws(() => decodeYaml(flow(1_001)), tooDeep);
  assert.ok(Array.isArray(decodeYaml(flow(1_000)).value));
  const block = Array.from({ length: 1_100 }, (_, at) => `${' '.repeat(at)}a:\n`).join('');
  assert.throws(() => decodeYaml(Buffer.from(block)), tooDeep);
  const chain = Array.from({ length: 40 }, (_, at) => {
    const inner = at === 0 ? '1' : `*a${at - 1}`;
    return `a${at}: &a${at} ${'['.repeat(50)}${inner}${']'.repeat(50)}`;
  });
  assert.throws(() => decodeYaml(Buffer.from(chain.join('\n'))), tooDeep);
});

test('__proto__ is data', () => {
  const { value } = decodeYaml(Buffer.from('__proto__: {polluted: true}\nconstructor: 1\n'));
  assert.equal(JSON.stringify(value), '{"__proto__":{"polluted":true},"constructor":1}');
  assert.equal(({} as { polluted?: boolean }).polluted, undefined);
});

test('the number of reported duplicate keys is limited', () => {
  const { duplicates } = decodeYaml(Buffer.from('a: 1\n'.repeat(500)));
  assert.equal(duplicates.length, 100);
  assert.equal(duplicates[0], 'line 2: key "a" already set in map');
});

const hostile = [
  { name: 'one long line of brackets', text: `a: ${'{a: ['.repeat(499)}` },
  { name: 'many keys', text: Array.from({ length: 100_000 }, (_, at) => `k${at}: v`).join('\n') },
  { name: 'a long plain scalar over many lines', text: `a: ${'b\n '.repeat(200_000)}` },
  { name: 'a long quoted scalar over many lines', text: `a: "${'b\n '.repeat(200_000)}"` },
  { name: 'many empty lines', text: `a:${'\n'.repeat(500_000)}  b` },
  { name: 'long keys without colons', text: 'a'.repeat(1_000_000) },
  { name: 'many flow entries in deep nesting', text: `${'['.repeat(900)}${'a, '.repeat(100_000)}` },
  { name: 'many question marks', text: '? '.repeat(900) },
  { name: 'many dashes', text: '- '.repeat(900) },
  { name: 'many colons', text: ':'.repeat(200_000) },
  { name: 'many merges', text: `a: &a {b: 1}\nc:\n${'  <<: *a\n'.repeat(20_000)}` },
];

for (const { name, text } of hostile) {
  test(`${name}: decoding takes linear time`, () => {
    const cpuMs = cpuMsOf(() => {
      try {
        decodeYaml(Buffer.from(text));
      } catch (error) {
        assert.ok(error instanceof YamlError, String(error));
      }
    });
    // Measured: up to 0.4 s. Anything that is not linear takes minutes.
    assert.ok(cpuMs < 8_000, `${cpuMs} ms`);
  });
}
