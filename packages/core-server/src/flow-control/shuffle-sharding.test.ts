import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dealHand, hashFlow, requiredEntropyBits } from './shuffle-sharding.ts';

const hands: readonly [name: string, flow: bigint, queues: number, handSize: number, number[]][] = [
  ['the number zero', 0n, 8, 3, [0, 1, 2]],
  ['one card', 13n, 8, 1, [5]],
  // 100 = 4 + 8 · (5 + 7 · (1 + 6 · …)); cards move up past those dealt before.
  ['several', 100n, 8, 3, [4, 6, 1]],
  ['the whole deck', 5n, 3, 3, [2, 1, 0]],
];
for (const [name, flow, queues, handSize, want] of hands) {
  test(`deals ${name}`, () => assert.deepEqual(dealHand(flow, { queues, handSize }), want));
}

test('hands have different cards, all in the deck', () => {
  for (let at = 0; at < 500; at += 1) {
    const hand = dealHand(hashFlow('schema', `user-${at}`), { queues: 64, handSize: 8 });
    assert.equal(new Set(hand).size, 8);
    assert.ok(hand.every((card) => card >= 0 && card < 64));
  }
});

test('every queue is dealt about as often', () => {
  const counts = new Array<number>(16).fill(0);
  for (let at = 0; at < 4_000; at += 1) {
    for (const card of dealHand(hashFlow('s', String(at)), { queues: 16, handSize: 4 })) {
      counts[card] = (counts[card] ?? 0) + 1;
    }
  }
  for (const count of counts) assert.ok(count > 850 && count < 1150, String(counts));
});

test('the hash of a flow depends on its schema and distinguisher', () => {
  assert.equal(hashFlow('a', 'b'), hashFlow('a', 'b'));
  assert.notEqual(hashFlow('a', 'b'), hashFlow('ab', ''));
});

test('entropy bits of hands', () => {
  assert.equal(requiredEntropyBits(64, 8), 48);
  assert.equal(requiredEntropyBits(1024, 6), 60);
  assert.equal(requiredEntropyBits(1000, 7), 70);
});
