/** Custom resources: everything that is served because a CustomResourceDefinition says so. */
import type { RowGroup } from '../../differential/row.ts';
import { customConditions } from './custom-resources-conditions.ts';
import { customLifecycle } from './custom-resources-lifecycle.ts';
import { customOperators } from './custom-resources-operators.ts';
import { customSchemas } from './custom-resources-schemas.ts';
import { customTables } from './custom-resources-tables.ts';
import { customVerbs } from './custom-resources-verbs.ts';
import { customVersions } from './custom-resources-versions.ts';

export const customGroups: readonly RowGroup[] = [
  customVerbs,
  customSchemas,
  customVersions,
  customTables,
  customLifecycle,
  customOperators,
  customConditions,
];
