import assert from 'node:assert/strict';
import test from 'node:test';
import {
  decideAvailability,
  newHistory,
  SILENT_PROBES_MAX,
  type Sign,
} from './decide-availability.ts';
import { delayAfterProbe, probeTimeout, standardSchedule } from './schedule.ts';

const passed: Sign = { kind: 'passed' };
const refused: Sign = { kind: 'failed', failure: { kind: 'refused', message: '' } };
const silent: Sign = { kind: 'failed', failure: { kind: 'silent', message: '' } };
const gone: Sign = { kind: 'nobody', problem: { status: 'False', reason: '', message: '' } };

const cases = [
  { name: 'well: now and then', signs: [passed], least: 9_000, most: 11_000 },
  { name: 'in doubt: at once', signs: [passed, refused], least: 0, most: 0 },
  {
    name: 'unavailable: more than once a second',
    signs: [refused, refused],
    least: 675,
    most: 825,
  },
  {
    name: 'silent and unavailable: nearly always asked',
    signs: [silent, silent, silent],
    least: 45,
    most: 55,
  },
  { name: 'nobody to ask: changes are told', signs: [gone], least: 9_000, most: 11_000 },
  { name: 'back: now and then', signs: [refused, refused, passed], least: 9_000, most: 11_000 },
];

for (const { name, signs, least, most } of cases) {
  test(name, () => {
    const course = signs.reduce(
      (before, sign) => decideAvailability(before, sign, 0),
      newHistory(0, undefined),
    );
    const delays = [0, 0.5, 0.999_999].map((random) =>
      Math.round(
        delayAfterProbe(course, standardSchedule, {
          down: 1,
          refusedMs: undefined,
          nowMs: 0,
          random: () => random,
        }),
      ),
    );
    assert.deepEqual([delays[0], delays[2]], [least, most]);
  });
}

test('silence is noticed within five seconds of the first request that meets it', () => {
  const { requestedMs, timeoutMs } = standardSchedule;
  assert.ok(requestedMs + SILENT_PROBES_MAX * timeoutMs <= 5_000);
});

test('a return is noticed within a second', () => {
  assert.ok(standardSchedule.unavailableMs * 1.1 < 900);
});

const NOW = 60_000;
const pressures = [
  { name: 'one', down: 1, refusedMs: undefined, delay: 750, timeout: 1_200 },
  { name: 'seven', down: 7, refusedMs: undefined, delay: 750, timeout: 1_200 },
  { name: 'fifty: ten a second', down: 50, refusedMs: undefined, delay: 5_000, timeout: 5_000 },
  { name: 'one that somebody waits for', down: 1, refusedMs: NOW, delay: 400, timeout: 1_200 },
  { name: 'one of six likewise', down: 6, refusedMs: NOW - 1, delay: 600, timeout: 1_200 },
  {
    name: 'one of fifty that somebody waits for',
    down: 50,
    refusedMs: NOW - 9_000,
    delay: 750,
    timeout: 1_200,
  },
  {
    name: 'one of fifty that somebody waited for',
    down: 50,
    refusedMs: NOW - 10_000,
    delay: 5_000,
    timeout: 5_000,
  },
];
for (const { name, delay, timeout, ...rest } of pressures) {
  test(`unavailable: ${name}`, () => {
    const pressure = { ...rest, nowMs: NOW, random: () => 0.5 };
    const begin = newHistory(0, undefined);
    const refusedTwice = [refused, refused].reduce(
      (course, sign) => decideAvailability(course, sign, 0),
      begin,
    );
    assert.equal(delayAfterProbe(refusedTwice, standardSchedule, pressure), delay);
    assert.equal(probeTimeout(refusedTwice, standardSchedule, pressure), timeout);
    // A probe of an available server has its full timeout.
    assert.equal(
      probeTimeout(decideAvailability(begin, silent, 0), standardSchedule, pressure),
      1_200,
    );
  });
}
