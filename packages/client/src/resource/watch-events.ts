import { type KubeObject, type ObjectMeta, parseJson, StatusError } from '@tributary/apimachinery';
import { LineError, splitLines } from '../bytes/lines.ts';
import { TransportError } from '../http/transport-error.ts';
import { failureOf } from '../transport/response-error.ts';

export type WatchEvent<T extends KubeObject = KubeObject> =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: T }
  /** Contains only a resourceVersion. */
  | { readonly type: 'BOOKMARK'; readonly object: Bookmark };

export interface Bookmark {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
}

/** Far above every object that a store accepts. */
export const EVENT_BYTES_MAX = 32 * 1024 * 1024;

/** The events of a watch. An `ERROR` event is thrown as `StatusError`, a broken stream as `TransportError`. */
export async function* watchEvents<T extends KubeObject>(
  source: AsyncIterable<Uint8Array>,
  options: { readonly subject: string; readonly eventBytesMax: number },
): AsyncGenerator<WatchEvent<T>> {
  const { subject, eventBytesMax } = options;
  try {
    for await (const line of splitLines(source, eventBytesMax)) yield decodeEvent<T>(line, subject);
  } catch (error) {
    if (error instanceof LineError) throw broken(subject, error.message);
    throw error;
  }
}

function decodeEvent<T extends KubeObject>(line: Uint8Array, subject: string): WatchEvent<T> {
  const { type, object } = parseEvent(line, subject);
  switch (type) {
    case 'ADDED':
    case 'MODIFIED':
    case 'DELETED':
    case 'BOOKMARK':
      if (!isObject(object)) throw broken(subject, `a ${type} event has no object with metadata`);
      // Fields beyond the metadata are not validated.
      return { type, object: object as T };
    case 'ERROR':
      throw new StatusError(
        failureOf(object, 500) ?? { code: 500, message: 'the watch failed without saying why' },
      );
    default:
      throw broken(subject, `unknown type of event ${JSON.stringify(type)}`);
  }
}

function parseEvent(line: Uint8Array, subject: string): { type?: unknown; object?: unknown } {
  try {
    const event = parseJson(line);
    if (typeof event === 'object' && event !== null) return event;
  } catch (cause) {
    throw broken(subject, 'an event is not valid JSON', cause);
  }
  throw broken(subject, 'an event is not an object');
}

function isObject(value: unknown): value is KubeObject {
  if (typeof value !== 'object' || value === null || !('metadata' in value)) return false;
  return typeof value.metadata === 'object' && value.metadata !== null;
}

function broken(subject: string, problem: string, cause?: unknown): TransportError {
  return new TransportError(`${subject}: the watch is broken: ${problem}`, {
    code: 'EPROTO',
    maybeProcessed: true,
    reusedConnection: false,
    cause,
  });
}
