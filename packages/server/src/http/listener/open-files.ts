import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';

/** So many are left for files, sockets to other servers, and for being told. */
const LEFT_FEW = 16;
const LIMIT = /^Max open files\s+(\d+)/m;

/** The soft limit of this process; undefined where the system does not say. */
export function openFilesMax(): number | undefined {
  try {
    const limit = LIMIT.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    return limit === undefined ? undefined : Number(limit);
  } catch {
    return undefined; // not Linux
  }
}

/**
 * Whether a connection took one of the last descriptors. The system gives the lowest free number. Beyond the limit,
 * connections are closed before Node hears of them, and nobody is told.
 */
export function isNearLimit(socket: Socket, max: number | undefined): boolean {
  if (max === undefined) return false;
  const { _handle: handle } = socket as Socket & { readonly _handle?: { readonly fd?: number } };
  return (handle?.fd ?? -1) >= max - LEFT_FEW;
}

export class OutOfOpenFiles extends Error {
  override readonly name = 'OutOfOpenFiles';

  constructor(max: number | undefined) {
    super(
      `nearly all of the ${max} files and sockets that this process may open are in use, and new connections are closed; raise the limit (ulimit -n)`,
    );
  }
}
