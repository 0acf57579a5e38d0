import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkGrowth, figuresOf, type LifeFigures } from './process-figures.ts';

function lives(rss: readonly number[], descriptors: readonly number[] = []): LifeFigures[] {
  return rss.map((rssMegabytes, at) => ({
    atSeconds: at * 60,
    ageSeconds: 60,
    rssMegabytes,
    fileDescriptors: descriptors[at] ?? 100,
  }));
}

const cases = [
  { name: 'the same all the time', lives: lives([150, 152, 149, 151, 150, 150]), want: [] },
  { name: 'noise', lives: lives([150, 190, 140, 200, 145, 180, 150, 210, 160]), want: [] },
  { name: 'one full queue', lives: lives([150, 150, 150, 150, 150, 150, 150, 600, 150]), want: [] },
  {
    name: 'memory that grows with every life',
    lives: lives([150, 180, 210, 240, 270, 300, 330, 360, 390]),
    want: ['memory-grows'],
  },
  {
    name: 'descriptors that grow with every life',
    lives: lives(Array(6).fill(150), [60, 70, 90, 110, 140, 150]),
    want: ['descriptors-grow'],
  },
  { name: 'too few lives for a trend', lives: lives([100, 200, 400, 800, 1600]), want: [] },
];
for (const { name, lives, want } of cases) {
  test(`growth: ${name}`, () => {
    assert.deepEqual(
      checkGrowth('server', lives).map(({ rule }) => rule),
      want,
    );
  });
}

test('a process has figures where the kernel tells, as long as it lives', () => {
  const figures = figuresOf(process.pid);
  assert.equal(figures !== undefined, process.platform === 'linux');
  if (figures) assert.ok(figures.rssMegabytes > 10 && figures.fileDescriptors > 2);
  assert.equal(figuresOf(2 ** 30), undefined);
});
