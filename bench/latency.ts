import { once } from 'node:events';
import { goLikeSession } from './go-like-session.ts';
import type { LoadTarget } from './http-load.ts';

/** Durations of GETs in milliseconds, one after the other on one HTTP/2 connection. */
export async function latencies(target: LoadTarget, count: number): Promise<number[]> {
  const { path } = target;
  const session = await goLikeSession(target);
  const taken: number[] = [];
  try {
    for (let index = 0; index < count; index += 1) {
      const started = performance.now();
      const stream = session.request({ ':path': path, accept: 'application/json' });
      const [[headers]] = await Promise.all([
        once(stream, 'response') as Promise<[Record<string, unknown>]>,
        once(stream.resume(), 'end'),
      ]);
      if (headers[':status'] !== 200) throw new Error(`${path}: ${headers[':status']}`);
      taken.push(performance.now() - started);
    }
  } finally {
    session.destroy();
  }
  return taken;
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
