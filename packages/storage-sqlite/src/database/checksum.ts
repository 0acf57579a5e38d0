import { crc32 } from 'node:zlib';
import type { Revision } from '@tributary/storage';
import { damaged } from '../messages/errors.ts';

/** SQLite detects damage to its own structure only; the checksum detects damage to values. */
export function checksum(key: string, revision: Revision, value: Uint8Array): number {
  return crc32(value, crc32(`${revision} ${key}`));
}

export interface Summed {
  readonly key: string;
  readonly revision: Revision;
  readonly value: Uint8Array;
  readonly sum: number;
}

export function isIntact({ key, revision, value, sum }: Summed): boolean {
  return checksum(key, revision, value) === sum;
}

/** Throws for rows of a file that is refused as a whole, such as a backup. */
export function assertIntact(row: Summed, directory: string): void {
  if (isIntact(row)) return;
  throw damaged(
    directory,
    `the value of ${row.key} at revision ${row.revision} has a wrong checksum`,
  );
}
