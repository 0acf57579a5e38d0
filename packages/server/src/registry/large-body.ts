/** Larger bodies may contain thousands of values, which take milliseconds to decode, and as long again to validate. */
const LARGE_BYTES = 32 * 1024;

/** Whether the steps of processing a body yield to the event loop. */
export function isLargeBody({ length }: Uint8Array): boolean {
  return length > LARGE_BYTES;
}
