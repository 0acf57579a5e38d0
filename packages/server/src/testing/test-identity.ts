import type { Identity } from '../registry/object-metadata.ts';

/** The alphabet of generated names, in this order. */
const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';
const SUFFIX_LENGTH = 5;

/** UIDs and names that are the same in every run. */
export function testIdentity(nowMs: () => number): Identity {
  let uids = 0;
  let names = 0;
  return {
    uid: () => {
      uids += 1;
      return `00000000-0000-4000-8000-${String(uids).padStart(12, '0')}`;
    },
    nameSuffix: () => {
      const suffix = suffixOf(names);
      names += 1;
      return suffix;
    },
    nowMs,
  };
}

function suffixOf(count: number): string {
  let left = count;
  let suffix = '';
  for (let place = 0; place < SUFFIX_LENGTH; place += 1) {
    suffix = `${ALPHABET[left % ALPHABET.length]}${suffix}`;
    left = Math.floor(left / ALPHABET.length);
  }
  return suffix;
}
