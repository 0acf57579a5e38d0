import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planKills } from './kills.ts';

const cases = [
  {
    name: 'three lives and a half',
    plan: { seconds: 120, killEverySeconds: 35, wardleEvery: 2 },
    want: ['gateway 35', 'wardle 52.5', 'gateway 70', 'gateway 105', 'wardle 122.5'].slice(0, 4),
  },
  {
    name: 'none at the very end',
    plan: { seconds: 120, killEverySeconds: 30, wardleEvery: 3 },
    want: ['gateway 30', 'gateway 60', 'wardle 75', 'gateway 90'],
  },
  {
    name: 'a life as long as the run',
    plan: { seconds: 20, killEverySeconds: 20, wardleEvery: 1 },
    want: ['wardle 10'],
  },
];
for (const { name, plan, want } of cases) {
  test(`kills: ${name}`, () => {
    assert.deepEqual(
      planKills(plan).map(({ what, atSeconds }) => `${what} ${atSeconds}`),
      want,
    );
  });
}

test('half an hour has a kill for each minute but the last', () => {
  const kills = planKills({ seconds: 1800, killEverySeconds: 60, wardleEvery: 3 });
  assert.equal(kills.filter(({ what }) => what === 'gateway').length, 29);
  assert.equal(kills.filter(({ what }) => what === 'wardle').length, 10);
});
