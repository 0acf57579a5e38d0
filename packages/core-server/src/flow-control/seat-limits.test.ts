import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bootstrapObjects } from './bootstrap-objects.ts';
import { seatLimits, sharesOf } from './seat-limits.ts';

/** The metrics of kube-apiserver 1.36.3 with its default of 600 seats. */
const upstream: Readonly<Record<string, readonly [nominal: number, lower: number, upper: number]>> =
  {
    'catch-all': [13, 13, 613],
    exempt: [0, 0, 600],
    'global-default': [49, 24, 649],
    'leader-election': [25, 25, 625],
    'node-high': [98, 73, 698],
    system: [74, 50, 674],
    'workload-high': [98, 49, 698],
    'workload-low': [245, 24, 845],
  };

test('the seat limits of the bootstrap levels are those of upstream', () => {
  const { levels } = bootstrapObjects();
  const shareSum = levels.reduce((sum, { spec }) => sum + sharesOf(spec), 0);
  const limits = levels.map(({ metadata, spec }) => {
    const { nominal, lower, upper } = seatLimits(spec, { seats: 600, shareSum });
    return [metadata.name, [nominal, lower, upper]];
  });
  assert.deepEqual(Object.fromEntries(limits), upstream);
});

test('borrowingLimitPercent limits borrowing to a part of the share', () => {
  const limited = { nominalConcurrencyShares: 1, limitResponse: { type: 'Reject' } };
  const whole = { seats: 100, shareSum: 4 };
  assert.equal(seatLimits({ limited: { ...limited, borrowingLimitPercent: 0 } }, whole).upper, 25);
  assert.equal(seatLimits({ limited: { ...limited, borrowingLimitPercent: 50 } }, whole).upper, 38);
  assert.deepEqual(seatLimits({ limited }, { seats: 100, shareSum: 0 }).nominal, 0);
});
