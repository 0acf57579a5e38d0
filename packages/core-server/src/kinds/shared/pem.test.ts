import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { cpuMs } from '../../../../../test/harness/own-time.ts';
import { decodePem } from './pem.ts';

const BODY = '-----BEGIN A-----\naGVs\nbG8=\n-----END A-----\n';
const hello = { type: 'A', hasHeaders: false, text: 'hello' };

describe('the first block of a text', () => {
  const cases: readonly {
    name: string;
    text: string;
    block?: { type: string; hasHeaders: boolean; text: string };
    rest?: string;
  }[] = [
    { name: 'is all of it', text: BODY, block: hello, rest: '' },
    { name: 'ends where the text ends', text: BODY.trimEnd(), block: hello, rest: '' },
    { name: 'has other line ends', text: BODY.replaceAll('\n', '\r\n'), block: hello },
    { name: 'has spaces at the ends of lines', text: BODY.replaceAll('\n', ' \t\n'), block: hello },
    { name: 'stands behind other text', text: `said\n${BODY}more`, block: hello, rest: 'more' },
    { name: 'does not begin in a line', text: `said ${BODY}` },
    {
      name: 'has headers',
      text: BODY.replace('A-----\n', 'A-----\nK: v\nL: w\n\n'),
      block: { ...hello, hasHeaders: true },
    },
    {
      name: 'has nothing in it',
      text: '-----BEGIN A-----\n-----END A-----\n',
      block: { ...hello, text: '' },
    },
    {
      name: 'has headers and nothing in it, which is none',
      text: '-----BEGIN A-----\nK: v\n-----END A-----\n',
    },
    { name: 'has another end', text: BODY.replace('END A', 'END B') },
    { name: 'has something behind its end', text: BODY.replace('END A-----', 'END A----- x') },
    { name: 'is no base64', text: BODY.replace('aGVs', 'aGV!') },
    { name: 'has half of a group of base64', text: BODY.replace('bG8=', 'bG8') },
    {
      name: 'follows a beginning without an end',
      text: `-----BEGIN B-----\nxx\n${BODY}`,
      block: hello,
    },
    { name: 'follows one that is none', text: `${BODY.replace('aGVs', '!')}${BODY}`, block: hello },
    { name: 'is not there', text: 'said' },
  ];
  for (const { name, text, block, rest } of cases) {
    test(name, () => {
      const found = decodePem(text);
      const { bytes, ...others } = found?.block ?? {};
      assert.deepEqual(found && { ...others, text: bytes?.toString() }, block);
      if (rest !== undefined) assert.equal(found?.rest, rest);
    });
  }

  test('many beginnings and ends take linear time', () => {
    const usedMs = cpuMs(() => {
      assert.equal(decodePem('\n-----BEGIN A-----'.repeat(100_000)), undefined);
      assert.equal(decodePem('\n-----END A-----'.repeat(100_000)), undefined);
      assert.equal(decodePem('-----BEGIN A-----\n-----END B-----\n'.repeat(50_000)), undefined);
    });
    assert.ok(usedMs < 2_000, `${usedMs} ms`); // Quadratic work would take minutes.
  });
});
