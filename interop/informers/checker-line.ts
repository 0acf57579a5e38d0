/** The output of informer-checker, see ../peers/informer-checker. */
import type { Item } from '../../test/informers/history.ts';

export type CheckerLine =
  | { readonly event: 'started'; readonly watchList: boolean }
  | { readonly event: 'synced' }
  | { readonly event: 'request'; readonly begins: boolean; readonly sendInitialEvents: boolean }
  | { readonly event: 'add' | 'update' | 'delete'; readonly object: Omit<Item, 'hash'> }
  | { readonly event: 'complaint'; readonly text: string }
  | { readonly event: 'store'; readonly items: Item[] };

export function parseLine(text: string): CheckerLine {
  const line: unknown = JSON.parse(text);
  if (!isRecord(line)) throw new Error(`informer-checker printed no object: ${text}`);
  switch (line.event) {
    case 'started':
      return { event: line.event, watchList: line.watchList === true };
    case 'synced':
      return { event: line.event };
    case 'request': {
      const { begins, sendInitialEvents } = line;
      return {
        event: line.event,
        begins: begins === true,
        sendInitialEvents: sendInitialEvents === true,
      };
    }
    case 'add':
    case 'update':
    case 'delete':
      return { event: line.event, object: readObject(line) };
    case 'complaint':
      return { event: line.event, text: String(line.text) };
    case 'store': {
      if (!Array.isArray(line.items)) throw new Error(`a store without items: ${text}`);
      return { event: line.event, items: line.items.map(readItem) };
    }
    default:
      throw new Error(`informer-checker printed an unknown event: ${text}`);
  }
}

function readItem(value: unknown): Item {
  if (!isRecord(value)) throw new Error(`an item that is no object: ${JSON.stringify(value)}`);
  return { ...readObject(value), hash: String(value.hash) };
}

function readObject({ key, uid, resourceVersion }: Record<string, unknown>): Omit<Item, 'hash'> {
  return { key: String(key), uid: String(uid), version: Number(resourceVersion) };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
