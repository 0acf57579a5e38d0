import { decodeJson, isStatus, type WatchEventType } from '@tributary/apimachinery';
import { statusErrorOf } from './test-requests.ts';

export interface TestWatchEvent<Object = unknown> {
  readonly type: Exclude<WatchEventType, 'ERROR'>;
  readonly object: Object;
}

/** An open watch. An ERROR event is thrown as a StatusError. */
export interface TestWatch<Object = unknown> extends AsyncIterableIterator<TestWatchEvent<Object>> {
  /** The next event; rejects when the watch has ended. */
  event(): Promise<TestWatchEvent<Object>>;
  /** Disconnects the client. Closing twice is harmless. */
  close(): void;
  return(): Promise<IteratorResult<TestWatchEvent<Object>>>;
  [Symbol.dispose](): void;
}

const LINE_BREAK = 10;

export function testWatch<Object>(
  body: AsyncIterable<Uint8Array>,
  leave: () => void,
): TestWatch<Object> {
  const lines = linesOf(body);
  const next = async (): Promise<IteratorResult<TestWatchEvent<Object>>> => {
    const line = await lines.next();
    return line.done
      ? { done: true, value: undefined }
      : { done: false, value: eventOf(line.value) };
  };
  const watch: TestWatch<Object> = {
    next,
    event: async () => {
      const result = await next();
      if (result.done) throw new Error('the watch has ended');
      return result.value;
    },
    close: leave,
    return: async () => {
      leave();
      return { done: true, value: undefined };
    },
    [Symbol.dispose]: leave,
    [Symbol.asyncIterator]: () => watch,
  };
  return watch;
}

async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let rest: Uint8Array = new Uint8Array();
  for await (const chunk of chunks) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    for (let end = rest.indexOf(LINE_BREAK); end !== -1; end = rest.indexOf(LINE_BREAK)) {
      yield rest.subarray(0, end);
      rest = rest.subarray(end + 1);
    }
  }
}

function eventOf<Object>(line: Uint8Array): TestWatchEvent<Object> {
  const { type, object } = decodeJson(line).value as { type: WatchEventType; object: Object };
  if (type !== 'ERROR') return { type, object };
  throw isStatus(object) ? statusErrorOf(object) : new Error(Buffer.from(line).toString());
}
