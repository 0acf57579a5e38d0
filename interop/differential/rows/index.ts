/** Every row, in the order in which they run. */
import type { Row, RowGroup } from '../row.ts';
import { createBodies, createMetadata, createNames, createOptions, creates } from './create.ts';
import { discovery } from './discovery.ts';
import { authentication, health, openapi, routing } from './endpoints.ts';
import { gets, lists, paging, resourceVersions, selectors } from './get-list.ts';
import { fischers, versions } from './kinds.ts';
import { negotiation } from './negotiation.ts';
import { patches } from './patch.ts';
import { deleteCollections, deletes, updates } from './update-delete.ts';
import { watches } from './watch.ts';

export const groups: readonly RowGroup[] = [
  discovery,
  health,
  openapi,
  authentication,
  routing,
  gets,
  lists,
  selectors,
  paging,
  resourceVersions,
  creates,
  createNames,
  createMetadata,
  createBodies,
  createOptions,
  updates,
  deletes,
  deleteCollections,
  watches,
  patches,
  negotiation,
  fischers,
  versions,
];

export const rows: readonly Row[] = groups.flatMap((group) => group.rows);
