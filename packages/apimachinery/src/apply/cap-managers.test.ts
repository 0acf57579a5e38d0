import assert from 'node:assert/strict';
import { test } from 'node:test';
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
    name: 'ten are kept',
    managers: numbers(10).map((n) => manager(n)),
    want: shown(numbers(10).map((n) => manager(n))),
  },
  {
    name: 'of eleven the two oldest become one',
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
    name: 'the oldest by time, not by place',
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
    name: 'what is ancient already takes the next one',
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
    name: 'a version with one updater loses none',
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
    name: 'appliers do not count',
    managers: numbers(15).map((n) => manager(n, { operation: 'Apply' })),
    want: shown(numbers(15).map((n) => manager(n))),
  },
];
for (const { name, managers, want } of cases) {
  test(`cap: ${name}`, () => assert.deepEqual(shown(cap(...managers)), want));
}

test('managers that are few enough are the same map', () => {
  const few = new Map([['a', manager(1)]]);
  assert.equal(capUpdateManagers(few), few);
});
