/** Definitions of the size of well-known operators, and objects of them. */
import {
  type OperatorKind,
  operatorDefinition,
  operatorKinds,
} from '../../custom-resources/operator-set.ts';
import type { JsonObject } from '../../differential/json.ts';
import type { Row, RowGroup } from '../../differential/row.ts';
import { customRow, DEFINITIONS, GROUP } from './custom-resources-words.ts';
import { PATCH_TYPES, TABLE } from './words.ts';

function operatorRow(one: OperatorKind): Row {
  const { kind, plural, example } = one;
  const all = `/apis/${GROUP}/v1/namespaces/{ns}/${plural}`;
  const body = (name: string, more: JsonObject = example): JsonObject => ({
    apiVersion: `${GROUP}/v1`,
    kind,
    metadata: { name },
    ...more,
  });
  return customRow(
    `operators: ${plural}`,
    {
      name: 'crd',
      method: 'POST',
      path: DEFINITIONS,
      body: operatorDefinition(one, GROUP),
      setup: true,
    },
    { name: 'served', path: all, setup: true, until: 200 },
    { name: 'create', method: 'POST', path: all, body: body('a') },
    {
      name: 'strict',
      method: 'POST',
      path: all,
      query: { fieldValidation: 'Strict' },
      body: body('b'),
    },
    {
      name: 'apply',
      method: 'PATCH',
      path: `${all}/a`,
      query: { fieldManager: 'operator', force: 'true' },
      headers: { 'content-type': PATCH_TYPES.apply },
      body: body('a'),
    },
    { name: 'table', path: all, headers: { accept: TABLE } },
    {
      name: 'wrong',
      method: 'POST',
      path: all,
      body: body('c', { spec: { replicas: -1, hosts: 'x', acme: {} } }),
    },
  );
}

export const customOperators: RowGroup = {
  name: 'custom-resources-operators',
  rows: operatorKinds.map(operatorRow),
};
