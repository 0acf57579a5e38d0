/** Limits the bytes held by several holders together. */
export interface ByteBudget {
  /** False when the limit is reached; then nothing is counted. */
  take(bytes: number): boolean;
  give(bytes: number): void;
}

export function byteBudget(bytesMax: number): ByteBudget {
  let used = 0;
  return {
    take(bytes) {
      if (used + bytes > bytesMax) return false;
      used += bytes;
      return true;
    },
    give(bytes) {
      used -= bytes;
    },
  };
}
