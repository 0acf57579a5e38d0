/** Every recorded pattern finds here what it finds in Go. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { CostLimitExceeded } from '../values/errors.ts';
import { compileRegexp, type Regexp } from './regexp.ts';

interface Recorded {
  readonly pattern: string;
  readonly texts: readonly string[];
  readonly response: {
    readonly error?: string;
    readonly matches?: readonly (readonly (readonly number[])[])[];
  };
}

const file = join(import.meta.dirname, '../../../../interop/cel/regexps.json');
const recorded = JSON.parse(readFileSync(file, 'utf8')) as readonly Recorded[];

function compiled(pattern: string): Regexp {
  const result = compileRegexp(pattern);
  assert.ok(result.ok, pattern);
  return result.regexp;
}

test('recorded patterns give the errors and matches of Go', () => {
  const wrong: string[] = [];
  for (const { pattern, texts, response } of recorded) {
    const result = compileRegexp(pattern);
    if (!result.ok || response.error !== undefined) {
      const ours = result.ok ? 'no error' : result.error;
      if (ours !== response.error) wrong.push(`/${pattern}/: ${ours}, not ${response.error}`);
      continue;
    }
    for (const [index, text] of texts.entries()) {
      const expected = response.matches?.[index]?.map(([start, end]) => [start, end]);
      const all = result.regexp
        .findAll(text)
        .map(({ start, end }) => [start, end].map(bytes(text)));
      const ours = JSON.stringify(all);
      if (ours !== JSON.stringify(expected)) {
        wrong.push(
          `/${pattern}/ in ${JSON.stringify(text)}: ${ours}, not ${JSON.stringify(expected)}`,
        );
      }
      if (result.regexp.matches(text) !== (expected?.length !== 0)) {
        wrong.push(`/${pattern}/ matches ${JSON.stringify(text)}: ${result.regexp.matches(text)}`);
      }
    }
  }
  assert.deepEqual(wrong.slice(0, 30), [], `${wrong.length} of ${recorded.length} patterns`);
});

function bytes(text: string): (unit: number) => number {
  return (unit) => Buffer.byteLength(text.slice(0, unit));
}

test('findAll stops at its limit', () => {
  assert.equal(compiled('a').findAll('aaaa', 2).length, 2);
  assert.equal(compiled('a').findAll('aaaa', 0).length, 0);
});

test('patterns that make others backtrack forever take no time', () => {
  const text = 'a'.repeat(30_000);
  const started = process.cpuUsage();
  assert.equal(compiled('^(a+)+$').matches(`${text}!`), false);
  assert.equal(compiled('(a|aa)+$').matches(`${text}!`), false);
  assert.equal(compiled('(.*)(.*)(.*)(.*)x').find(text), undefined);
  assert.ok(cpuMs(started) < 1000, `it took ${cpuMs(started)} ms`);
});

test('a search that would take too long is stopped', () => {
  const text = 'ab'.repeat(200_000);
  const letters = randomLetters(400_000);
  for (const call of [
    () => compiled('(a|b)*a(a|b){400}').find(text),
    () => compiled('(a|b)*a(a|b){400}').findAll(text),
    () => compiled('[ab]*a[ab]{900}c').matches(letters),
  ]) {
    const started = process.cpuUsage();
    assert.throws(call, CostLimitExceeded);
    // It is less than 100 ms on a quiet machine.
    assert.ok(cpuMs(started) < 1500, `it took ${cpuMs(started)} ms`);
  }
});

/** Other programs on the machine do not count. */
function cpuMs(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
}

function randomLetters(length: number): string {
  let state = 1;
  return Array.from({ length }, () => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return state & 0x10000 ? 'a' : 'b';
  }).join('');
}

test('a small pattern is never stopped, though its states do not repeat', () => {
  const small = compiled('(a|b)*a(a|b){8}c');
  const other = compiled('(a|b)*a(a|b){8}');
  for (let index = 0; index < 40; index++) {
    const letters = randomLetters(2_000 + index).slice(index);
    assert.equal(small.matches(letters), false);
    assert.equal(small.find(letters), undefined);
    assert.notEqual(other.find(letters), undefined);
  }
});

test('a search that was stopped leaves nothing behind', () => {
  const regexp = compiled('(a|b)*a(a|b){400}');
  assert.throws(() => regexp.find('ab'.repeat(200_000)), CostLimitExceeded);
  assert.deepEqual(regexp.find(`a${'b'.repeat(400)}`), { start: 0, end: 401 });
});

test('a pattern with too many copies is refused as too large', () => {
  const result = compileRegexp('(abcdefghij){1000}'.repeat(20));
  assert.ok(!result.ok);
  assert.match(result.error, /^error parsing regexp: expression too large: /);
});
