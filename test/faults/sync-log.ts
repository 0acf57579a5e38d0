/** Reads what the preloaded shim wrote down, and judges it. */

interface Call {
  /** Places in one order of the whole process: before the call, and after it. */
  readonly begin: number;
  readonly end: number;
}

export type SyncCall = Call &
  (
    | {
        readonly kind: 'write';
        readonly file: string;
        readonly offset: number;
        readonly bytes: number;
        /** The header of the last frame of a transaction. */
        readonly isCommit: boolean;
        readonly marks: readonly number[];
      }
    | { readonly kind: 'sync'; readonly file: string }
    | { readonly kind: 'ack'; readonly mark: number }
  );

type WriteCall = SyncCall & { kind: 'write' };

const DATABASE = 'store.db';
const LOG = 'store.db-wal';
const LOG_HEADER_BYTES = 32;

export function parseSyncLog(text: string): SyncCall[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map(parseLine)
    .toSorted((a, b) => a.begin - b.begin);
}

function parseLine(line: string): SyncCall {
  const [begin, end, kind, first = '', offset, bytes, commit, ...marks] = line.split(' ');
  const call = { begin: Number(begin), end: Number(end) };
  if (kind === 'ack') return { ...call, kind, mark: Number(first) };
  if (kind === 'sync') return { ...call, kind, file: first };
  if (kind !== 'write') throw new Error(`a call failed: ${line}`);
  return {
    ...call,
    kind,
    file: first,
    offset: Number(offset),
    bytes: Number(bytes),
    isCommit: commit === '1',
    marks: marks.map(Number),
  };
}

/**
 * Every acknowledgement that came before its commit was safe. A commit is safe when the last page
 * of its transaction was in the log, and after that a flush of the log began, and was over before
 * the acknowledgement began. Nothing less will do: a flush that began earlier need not have taken
 * the last page along.
 */
export function unsafeAcknowledgements(calls: readonly SyncCall[]): string[] {
  const log = calls.filter(isWriteTo(LOG));
  const syncs = calls.filter(isSyncOf(LOG));
  return calls.flatMap((call) => {
    if (call.kind !== 'ack') return [];
    const { mark, begin } = call;
    const written = transactionEnd(log, mark);
    if (written === undefined || written > begin) {
      return [`${mark} was acknowledged at ${begin}, written at ${written ?? 'no time'}`];
    }
    const isSafe = syncs.some((sync) => sync.begin > written && sync.end < begin);
    return isSafe ? [] : [`${mark} was acknowledged at ${begin}, not flushed since ${written}`];
  });
}

/** When the transaction that first wrote a mark had its last page in the log. */
function transactionEnd(log: readonly WriteCall[], mark: number): number | undefined {
  const first = log.findIndex(({ marks }) => marks.includes(mark));
  if (first === -1) return undefined;
  // Each frame is two writes, its header and its page; the page with the mark may be the last.
  const commit = log.findIndex(({ isCommit }, at) => isCommit && at >= first - 1);
  return log[commit + 1]?.end;
}

/**
 * Times at which the log began anew, over pages that the database did not have safely: writing its
 * header makes what was in it unreadable, so what was copied from it must have been flushed.
 */
export function unsafeRestarts(calls: readonly SyncCall[]): string[] {
  const copies = calls.filter(isWriteTo(DATABASE));
  const syncs = calls.filter(isSyncOf(DATABASE));
  return logStarts(calls).flatMap(({ begin }) => {
    const last = copies.findLast((copy) => copy.begin < begin);
    if (last === undefined) return [];
    const isSafe = syncs.some((sync) => sync.begin > last.end && sync.end < begin);
    return isSafe
      ? []
      : [`the log began anew at ${begin}, the database was written at ${last.end}`];
  });
}

/** When the log began, and began anew. */
export function logStarts(calls: readonly SyncCall[]): WriteCall[] {
  return calls
    .filter(isWriteTo(LOG))
    .filter(({ offset, bytes }) => offset === 0 && bytes === LOG_HEADER_BYTES);
}

function isWriteTo(file: string): (call: SyncCall) => call is WriteCall {
  return (call): call is WriteCall => call.kind === 'write' && call.file === file;
}

function isSyncOf(file: string): (call: SyncCall) => boolean {
  return (call) => call.kind === 'sync' && call.file === file;
}
