import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cpuMs } from '../../../../test/harness/own-time.ts';
import { capUpdateManagers } from './cap-managers.ts';
import { FieldSet } from './field-set.ts';
import { type Manager, managerIdentity } from './managers.ts';
import { printPath } from './path-element.ts';

function manager(number: number, more: Partial<Manager> = {}): Manager {
  const padded = String(number).padStart(2, '0');
  return {
    name: `u${padded}`,
    operation: 'Update',
    apiVersion: 'g/v1',
    subresource: '',
    time: `2026-01-01T00:00:${padded}Z`,
    set: FieldSet.of([`f:${padded}`]),
    ...more,
  };
}

function cap(...managers: Manager[]): Manager[] {
  const byIdentity = new Map(managers.map((one) => [managerIdentity(one), one]));
  return [...capUpdateManagers(byIdentity).values()];
}

const numbers = (count: number) => Array.from({ length: count }, (_, number) => number);
const shown = (managers: readonly Manager[]) =>
  managers
    .map(
      ({ name, apiVersion, time, set }) =>
        `${name} ${apiVersion} ${time?.slice(17, 19)}: ${[...set.paths()].map(printPath).join(' ')}`,
    )
    .sort();

const cases: { name: string; managers: Manager[]; want: string[] }[] = [
  {
    name: 'ten managers stay',
    managers: numbers(10).map((n) => manager(n)),
    want: shown(numbers(10).map((n) => manager(n))),
  },
  {
    name: 'of eleven managers the two oldest are merged',
    managers: numbers(11).map((n) => manager(n)),
    want: [
      'ancient-changes g/v1 01: .00 .01',
      ...shown(
        numbers(11)
          .slice(2)
          .map((n) => manager(n)),
      ),
    ],
  },
  {
    name: 'the oldest by time, not by position',
    managers: numbers(11)
      .toReversed()
      .map((n) => manager(n)),
    want: [
      'ancient-changes g/v1 01: .00 .01',
      ...shown(
        numbers(11)
          .slice(2)
          .map((n) => manager(n)),
      ),
    ],
  },
  {
    name: 'ancient-changes absorbs the next one',
    managers: [
      manager(0, { name: 'ancient-changes' }),
      ...numbers(11)
        .slice(1)
        .map((n) => manager(n)),
    ],
    want: [
      'ancient-changes g/v1 01: .00 .01',
      ...shown(
        numbers(11)
          .slice(2)
          .map((n) => manager(n)),
      ),
    ],
  },
  {
    name: 'versions are not mixed',
    managers: numbers(12).map((n) => manager(n, n % 2 === 0 ? {} : { apiVersion: 'g/v2' })),
    want: [
      'ancient-changes g/v1 02: .00 .02',
      'ancient-changes g/v2 03: .01 .03',
      ...shown(
        numbers(12)
          .slice(4)
          .map((n) => manager(n, n % 2 === 0 ? {} : { apiVersion: 'g/v2' })),
      ),
    ],
  },
  {
    name: 'a version with one Update manager stays',
    managers: [
      manager(0, { apiVersion: 'g/v0' }),
      ...numbers(11)
        .slice(1)
        .map((n) => manager(n)),
    ],
    want: [
      'ancient-changes g/v1 02: .01 .02',
      ...shown([
        manager(0, { apiVersion: 'g/v0' }),
        ...numbers(11)
          .slice(3)
          .map((n) => manager(n)),
      ]),
    ].sort(),
  },
  {
    name: 'ancient-changes with a newer time is dropped, and created again',
    managers: [
      ...numbers(5).map((n) => manager(n)),
      manager(5, { name: 'ancient-changes' }),
      ...numbers(16)
        .slice(6)
        .map((n) => manager(n)),
    ],
    want: [
      'ancient-changes g/v1 06: .00 .06',
      ...shown(
        numbers(16)
          .slice(7)
          .map((n) => manager(n)),
      ),
    ],
  },
  {
    name: 'Apply managers do not count',
    managers: numbers(15).map((n) => manager(n, { operation: 'Apply' })),
    want: shown(numbers(15).map((n) => manager(n))),
  },
];
for (const { name, managers, want } of cases) {
  test(`cap: ${name}`, () => assert.deepEqual(shown(cap(...managers)), want));
}

test('fewer managers than the maximum stay the same map', () => {
  const few = new Map([['a', manager(1)]]);
  assert.equal(capUpdateManagers(few), few);
});

test('ten times the managers take about ten times the work', () => {
  const work = (count: number) => {
    const many = new Map(
      Array.from({ length: count }, (_, at) => {
        const one = manager(at, { set: FieldSet.of(['f:data', `f:${at}`]) });
        return [managerIdentity(one), one] as const;
      }),
    );
    return Math.min(...Array.from({ length: 3 }, () => cpuMs(() => void capUpdateManagers(many))));
  };
  work(500);
  const [few, many] = [work(1_000), work(10_000)];
  // With logarithms and a larger working set: 13 to 20. One by one it was a hundred times.
  assert.ok(many < 40 * few, `${many.toFixed(1)} ms after ${few.toFixed(1)} ms`);
});
