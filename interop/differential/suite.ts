/** A table of rows with everything that belongs to it, as data, without the targets. */
import { join } from 'node:path';
import { lists } from './lists.ts';
import type { KindId, Row, RowGroup } from './row.ts';
import { groups } from './rows/index.ts';
import type { Lists } from './verdict.ts';

export interface Suite {
  name: string;
  /** Our program under test, as in "our wardle server". */
  subject: string;
  groups: readonly RowGroup[];
  /** Names of the kinds, for messages. */
  kinds: Readonly<Record<KindId, string>>;
  lists: Lists;
  /** Where the answers of the original are. */
  responsesDir: string;
  /** See `NormaliseOptions`. */
  sharedRevisions: boolean;
}

export function rowsOf({ groups }: Pick<Suite, 'groups'>): Row[] {
  return groups.flatMap(({ rows }) => rows);
}

export const goldenDir: string = join(import.meta.dirname, '..', 'golden', 'responses');

/** The sample API server, whose etcd has no other client. */
export const wardleSuite: Suite = {
  name: 'wardle',
  subject: 'our wardle server',
  groups,
  kinds: {
    'flunders.v1alpha1': 'Flunder v1alpha1',
    'flunders.v1beta1': 'Flunder v1beta1',
    'fischers.v1alpha1': 'Fischer v1alpha1',
  },
  lists,
  responsesDir: goldenDir,
  sharedRevisions: false,
};
