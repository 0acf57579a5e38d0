/** Short texts of clients: selectors, paths, tokens, quantities, times, headers. */
import assert from 'node:assert/strict';
import {
  addQuantities,
  compareQuantities,
  decodeContinueToken,
  decodeJson,
  encodeContinueToken,
  formatGoDuration,
  formatQuantity,
  formatTime,
  JsonError,
  parseFieldSelector,
  parseGoDuration,
  parseLabelSelector,
  parseMicroTime,
  parseQuantity,
  parseTime,
  StatusError,
  stringifyJson,
} from '@tributary/apimachinery';
import {
  decodeFieldsV1,
  encodeFieldsV1,
  isCanonicalFieldsV1,
} from '../../../packages/apimachinery/src/apply/fields-v1.ts';
import { readUnverified } from '../../../packages/core-server/src/authentication/unverified-token.ts';
import { jsonPath } from '../../../packages/core-server/src/custom-resources/serving/json-path.ts';
import { parseAccept } from '../../../packages/server/src/request/negotiation.ts';
import { errorsOf, type FuzzTarget } from '../target.ts';

class Refused extends Error {}

const fieldPaths: FuzzTarget = {
  name: 'field paths',
  corpus: 'field-paths',
  // biome-ignore format: a list of pieces reads better in few lines
  tokens: [
    '{', '}', ',', ':', '{}', 'null', '"."', '".":{}', '"f:a":{}', '"f:b":{"f:c":{}}', '"k:{\\"name\\":\\"x\\"}":{}', '"k:{\\"b\\":1,\\"a\\":2}":{}', '"v:\\"x\\"":{}',
    '"v:1":{}', '"v:{}":{}', '"i:0":{}', '"i:-1":{}', '"x:y":{}', '"f:":{}', '"f:__proto__":{}', '"k:null":{}', '"k:[]":{}', '"k:{":{}', '"v:1e400":{}', '"i:1.5":{}', '"a"', '[]', '1',
  ],
  run(input) {
    const { value } = decodeJson(input);
    const set = decodeFieldsV1(value);
    const wire = encodeFieldsV1(set);
    assert.ok(isCanonicalFieldsV1(wire) || set.isEmpty, 'what is written is not canonical');
    const again = encodeFieldsV1(decodeFieldsV1(wire));
    assert.equal(stringifyJson(again), stringifyJson(wire), 'the set changes when it is written');
    return `${isCanonicalFieldsV1(value)} ${Math.min(5, set.members.size)} ${Math.min(5, set.children.size)}`;
  },
  refuses: errorsOf(JsonError, Error, SyntaxError),
};

const labels: FuzzTarget = {
  name: 'label selectors',
  corpus: 'labels',
  // biome-ignore format: a list of pieces reads better in few lines
  tokens: ['a', 'b.c/d', ' in ', ' notin ', '(', ')', ',', '=', '==', '!=', '!', '>', '<', ' ', '1', '-', '_', 'é', '""', '\0', '__proto__', 'a=b,', 'in', 'notin', 'x'.repeat(64)],
  bytesMax: 300,
  run(input) {
    const parsed = parseLabelSelector(input.toString());
    if (!parsed.ok) throw new Refused(parsed.message);
    const { selector } = parsed;
    const again = parseLabelSelector(String(selector));
    assert.ok(again.ok, String(selector));
    assert.equal(String(again.selector), String(selector));
    return `${selector.matches({ a: 'b' })} ${selector.matches({})}`;
  },
  refuses: errorsOf(Refused),
};

const fields: FuzzTarget = {
  name: 'field selectors',
  corpus: 'fields',
  tokens: [
    'metadata.name',
    '=',
    '==',
    '!=',
    ',',
    '\\',
    '\\,',
    '\\=',
    '\\\\',
    ' ',
    'a',
    '',
    '__proto__',
    '\0',
    'é',
  ],
  bytesMax: 300,
  run(input) {
    const parsed = parseFieldSelector(input.toString());
    if (!parsed.ok) throw new Refused(parsed.message);
    const again = parseFieldSelector(String(parsed.selector));
    assert.ok(again.ok, String(parsed.selector));
    assert.deepEqual(partsOf(again.selector), partsOf(parsed.selector));
    return String(String(parsed.selector).split(',').length);
  },
  refuses: errorsOf(Refused),
};

/** Terms of one key may change places. */
function partsOf(selector: unknown): string[] {
  return String(selector)
    .split(/(?<!\\),/)
    .sort();
}

const LARGE = { unscaled: 10n ** 18n, exponent: 0, format: 'DecimalSI' } as const;
const SMALL = { ...LARGE, unscaled: -LARGE.unscaled } as const;

const quantities: FuzzTarget = {
  name: 'quantities',
  corpus: 'quantities',
  tokens: [
    '1',
    '0',
    '.',
    '-',
    '+',
    'Ki',
    'Mi',
    'Ei',
    'm',
    'n',
    'u',
    'k',
    'E',
    'e',
    'e3',
    'E-9',
    '9999999999999999999',
    'e2147483648',
    ' ',
  ],
  bytesMax: 200,
  run(input) {
    const parsed = parseQuantity(input.toString());
    if (!parsed.ok) throw new Refused(parsed.error);
    const { quantity } = parsed;
    const text = formatQuantity(quantity);
    const again = parseQuantity(text);
    assert.ok(again.ok, text);
    // As upstream, numbers beyond every suffix are written without one: 1e30 in digits becomes "1".
    const isLarge =
      compareQuantities(quantity, LARGE) > 0 || compareQuantities(quantity, SMALL) < 0;
    if (!isLarge) assert.equal(compareQuantities(again.quantity, quantity), 0, text);
    formatQuantity(addQuantities(quantity, quantity));
    return `${quantity.format} ${text.length > 5}`;
  },
  refuses: errorsOf(Refused),
};

const durations: FuzzTarget = {
  name: 'durations',
  corpus: 'durations',
  tokens: [
    '1',
    '0',
    '.',
    '-',
    '+',
    'h',
    'm',
    's',
    'ms',
    'us',
    'µs',
    'ns',
    '9223372036854775807',
    '2562047h',
    ' ',
  ],
  bytesMax: 200,
  run(input) {
    const parsed = parseGoDuration(input.toString());
    if (!parsed.ok) throw new Refused(parsed.message);
    const { nanoseconds } = parsed;
    const again = parseGoDuration(formatGoDuration(nanoseconds));
    assert.ok(again.ok);
    assert.equal(again.nanoseconds, nanoseconds);
    return String(nanoseconds > 0n);
  },
  refuses: errorsOf(Refused),
};

const times: FuzzTarget = {
  name: 'times',
  corpus: 'times',
  tokens: [
    '2020',
    '-',
    ':',
    'T',
    'Z',
    '+01:00',
    '-00:00',
    '.5',
    '.123456789',
    '24',
    '60',
    '02-29',
    '02-30',
    '0000',
    '9999',
    't',
    'z',
    ' ',
  ],
  bytesMax: 80,
  run(input) {
    const text = input.toString();
    const parsed = parseTime(text);
    parseMicroTime(text);
    if (!parsed.ok) throw new Refused(parsed.message);
    const again = parseTime(formatTime(parsed.milliseconds));
    // An offset can move a time out of the years that are read again.
    if (!again.ok) assert.match(formatTime(parsed.milliseconds), /^(?:-|\d{5}-)/);
    else assert.equal(Math.floor(parsed.milliseconds / 1000) * 1000, again.milliseconds);
    return String(parsed.nanoseconds > 0n);
  },
  refuses: errorsOf(Refused),
};

const continueTokens: FuzzTarget = {
  name: 'continue tokens',
  corpus: 'continue-tokens',
  tokens: [
    '{',
    '}',
    '"v":"meta.k8s.io/v1"',
    '"rv":1',
    '"rv":-1',
    '"rv":9223372036854775808',
    '"start":"a"',
    '"start":"../a"',
    '"start":"a/\\u0000"',
    ',',
    ':',
    '"',
    '__proto__',
  ],
  bytesMax: 500,
  run(input) {
    const token = decodeContinueToken(input.toString('base64url'));
    const again = decodeContinueToken(encodeContinueToken(token));
    assert.deepEqual(again, token);
    return String(token.revision > 0);
  },
  refuses: errorsOf(StatusError),
};

const jsonPaths: FuzzTarget = {
  name: 'JSON paths',
  corpus: 'json-paths',
  // biome-ignore format: a list of pieces reads better in few lines
  tokens: [
    '{', '}', '.', '..', '[', ']', '[*]', '[0]', '[-1]', '[0:2]', '[::2]', '[::-1]', '[?(@.a=="b")]', '[?(@.a)]', '[0,1]', "['a']", '"', "'", '@', '$', '*', '?', '(', ')',
    '==', '!=', '<', '>=', '.a', '.list', '.__proto__', '.constructor', '\\.', 'range', 'end', '1', '1e9', ',', ' ',
  ],
  bytesMax: 200,
  run: (input) => String(Math.min(5, jsonPath(input.toString())(DOCUMENT).length)),
  refuses: errorsOf(Error),
};
const DOCUMENT = JSON.parse(
  '{"a":"b","list":[{"a":"b"},{"a":1},null],"n":{"n":{"n":[]}},"__proto__":{"p":1}}',
);

const tokens: FuzzTarget = {
  name: 'unverified tokens',
  corpus: 'tokens',
  tokens: [
    '{',
    '}',
    '"alg":"RS256"',
    '"kid":"a"',
    '"iss":"x"',
    '"exp":1',
    '.',
    ',',
    'null',
    '[]',
    '__proto__',
    '\ufffd',
  ],
  bytesMax: 1000,
  run(input) {
    const parts = input.toString().split('\n');
    const text = parts.map((part) => Buffer.from(part).toString('base64url')).join('.');
    const read = readUnverified(text);
    readUnverified(input.toString());
    if (read === undefined) throw new Refused('no token');
    return Object.keys(read.header).sort().join().slice(0, 20);
  },
  refuses: errorsOf(Refused),
};

const accepts: FuzzTarget = {
  name: 'Accept headers',
  corpus: 'accepts',
  tokens: [
    'application/json',
    '*/*',
    'application/*',
    ';',
    ',',
    'q=',
    'q=0.5',
    'as=Table',
    'g=meta.k8s.io',
    'v=v1',
    '=',
    '"',
    ' ',
    'q=1e9',
    'q=-1',
    'q=NaN',
    ';;',
    ',,',
  ],
  bytesMax: 1000,
  run(input) {
    const clauses = parseAccept(input.toString('latin1'));
    assert.ok(clauses.every(({ quality }) => Number.isFinite(quality)));
    return String(Math.min(5, clauses.length));
  },
  refuses: () => false,
};

export const textTargets = [
  fieldPaths,
  labels,
  fields,
  quantities,
  durations,
  times,
  continueTokens,
  jsonPaths,
  tokens,
  accepts,
];
