import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';

/** File descriptors left for files and for sockets to other servers when the limit is reported. */
const LEFT_FEW = 16;
const LIMIT = /^Max open files\s+(\d+)/m;

/** The soft limit of this process; undefined where the system does not expose it. */
export function openFilesMax(): number | undefined {
  try {
    const limit = LIMIT.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    return limit === undefined ? undefined : Number(limit);
  } catch {
    return undefined; // not Linux
  }
}

/**
 * Whether a connection took one of the last descriptors: the system assigns the lowest free number. Beyond the limit,
 * Node never sees a connection that the system closes.
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
