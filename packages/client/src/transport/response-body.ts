import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Deadline } from './deadline.ts';

/** Whole responses are decompressed at once, off the main thread. */
export async function unpacked(
  body: Buffer,
  headers: Readonly<Record<string, string>>,
  { bytesMax, subject }: { bytesMax: number; subject: string },
): Promise<Buffer> {
  if (headers['content-encoding'] !== 'gzip' || body.length === 0) return body;
  try {
    return await promisify(gunzip)(body, { maxOutputLength: bytesMax });
  } catch (cause) {
    const problem = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`${subject}: the response cannot be decompressed: ${problem}`, { cause });
  }
}

export async function collect(
  source: AsyncIterable<Uint8Array>,
  limits: { bytesMax: number; timer: Deadline; timeoutMs: number; subject: string },
): Promise<Buffer> {
  const { bytesMax, timer, timeoutMs, subject } = limits;
  timer.start(timeoutMs, `the response stopped for ${timeoutMs} ms`);
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of source) {
    timer.refresh();
    bytes += chunk.length;
    if (bytes > bytesMax)
      throw new Error(`${subject}: the response has more than ${bytesMax} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, bytes);
}

export async function collectBeginning(
  source: AsyncIterable<Uint8Array>,
  bytesMax: number,
): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of source) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= bytesMax) break;
  }
  return Buffer.concat(chunks).subarray(0, bytesMax);
}
