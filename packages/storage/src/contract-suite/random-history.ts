import type { Write } from '../contract/storage.ts';
import { putOf, write } from './actions.ts';
import { Model } from './model.ts';
import type { Subject } from './subject.ts';

/** Few keys, so that they are created, changed, deleted and created again; several per commit. */
const KEYS = ['a/1', 'a/2', 'a/3', 'a-1', 'a0', 'b/1', 'b/2', 'ä/1', '\u{1f600}/1', '\uffee/1'];

/** Fills the store with random commits and returns them. */
export async function writeHistory(subject: Subject, commits: number): Promise<Model> {
  const model = new Model();
  const present = new Set<string>();
  for (let at = 0; at < commits; at += 1) {
    const writes = randomWrites(subject, present, at);
    model.add(await write(subject.storage, { require: [], writes }), writes);
  }
  return model;
}

function randomWrites({ random }: Subject, present: Set<string>, at: number): Write[] {
  const keys = new Set(Array.from({ length: 1 + random.below(3) }, () => random.pick(KEYS)));
  return [...keys].map((key) => {
    if (present.has(key) && random.below(3) === 0) {
      present.delete(key);
      return { kind: 'delete', key };
    }
    present.add(key);
    return putOf(key, `value ${at}`);
  });
}
