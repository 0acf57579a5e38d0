import { hash } from 'node:crypto';

/** Bits of the hash that a hand may consume. */
export const HASH_BITS_MAX = 60;

/** Bits of entropy that a hand of this size consumes. */
export function requiredEntropyBits(deckSize: number, handSize: number): number {
  return Math.ceil(Math.log2(deckSize) * handSize);
}

/** A stable number of the flow. */
export function hashFlow(schema: string, distinguisher: string): bigint {
  return hash('sha256', `${schema}\0${distinguisher}`, 'buffer').readBigUInt64LE();
}

/**
 * Deals distinct queues to a flow, chosen by its hash. Two flows rarely have the same hand, so a flow that fills its
 * queues leaves others at least one.
 */
export function dealHand(
  flow: bigint,
  { queues, handSize }: { queues: number; handSize: number },
): readonly number[] {
  const remainders: number[] = [];
  let rest = flow;
  for (let at = 0; at < handSize; at += 1) {
    const left = BigInt(queues - at);
    remainders.push(Number(rest % left));
    rest /= left;
  }
  // Each remainder indexes the cards that were not dealt before it.
  return remainders.map((remainder, at) => {
    let card = remainder;
    for (let before = at - 1; before >= 0; before -= 1) {
      if (card >= (remainders[before] ?? 0)) card += 1;
    }
    return card;
  });
}
