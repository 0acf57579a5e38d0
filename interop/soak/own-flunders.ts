/** The part of a history that is about the flunders of its writers: others have flunders of their own beside them. */
import type { History, Item, List, WatchEvent, WatchLog } from '../../test/faults/history.ts';
import { NAMESPACES } from '../../test/faults/writer.ts';

export function ownFlunders(history: History): History {
  return {
    ...history,
    lists: history.lists.map(ownItems),
    final: ownItems(history.final),
    watches: history.watches.map(ownEvents),
  };
}

function ownItems(list: List): List {
  return { ...list, items: list.items.filter(isOwn) };
}

/** Of an event of another object its place stays: a watcher goes on behind it, as behind a bookmark. */
function ownEvents(log: WatchLog): WatchLog {
  const sessions = log.sessions.map((session) => ({
    ...session,
    events: session.events.map(ownEvent),
  }));
  return { ...log, sessions };
}

function ownEvent(event: WatchEvent): WatchEvent {
  if (event.type === 'BOOKMARK' || isOwn(event)) return event;
  return { type: 'BOOKMARK', revision: event.revision, at: event.at };
}

function isOwn({ key }: Item): boolean {
  return NAMESPACES.some((namespace) => key.startsWith(`${namespace}/`));
}
