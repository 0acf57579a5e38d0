/** Apply by several managers, of every kind: ownership, removal by the last owner, and conflicts. */
import type { JsonObject } from '../../differential/json.ts';
import type { RequestStep, Row, RowGroup } from '../../differential/row.ts';
import type { Kind } from '../kinds.ts';
import { type SampledKind, sampledKinds } from './sampled-kinds.ts';
import { apply, get, given, object, PATCH_TYPES, pathOf, put, row } from './words.ts';

/** An apply of a manager, whose name is that of the step too. */
function by(
  manager: string,
  kind: Kind,
  fields: JsonObject,
  more: Partial<RequestStep> = {},
): RequestStep {
  const query = { fieldManager: manager, ...more.query };
  return apply(kind, fields, { name: manager, ...more, query });
}

function labelled(fields: JsonObject, labels: JsonObject): JsonObject {
  const metadata = fields.metadata as JsonObject | undefined;
  return {
    ...fields,
    metadata: {
      ...metadata,
      labels: { row: '{ns}', ...(metadata?.labels as JsonObject), ...labels },
    },
  };
}

function applyRows({ kind, sample }: SampledKind): Row[] {
  const { minimal, changed, applied } = sample;
  return [
    row(
      kind,
      'patch',
      'apply: fields go with their only owner',
      by('one', kind, labelled(applied, { x: '1', y: '1' })),
      by('two', kind, labelled(minimal, { y: '1' })),
      by('one', kind, labelled(minimal, {}), { name: 'gives-up' }),
      by('two', kind, labelled(minimal, {}), { name: 'gives-up-too' }),
    ),
    row(
      kind,
      'patch',
      'apply: two who want different things',
      by('one', kind, labelled(applied, { x: '1' })),
      by('two', kind, labelled(changed, { x: '2' })),
      by('two', kind, labelled(changed, { x: '2' }), { name: 'forced', query: { force: 'true' } }),
      by('one', kind, labelled(applied, { x: '1' }), { name: 'refused' }),
    ),
    row(
      kind,
      'patch',
      'apply: after an update',
      given(kind, minimal),
      put(kind, labelled(changed, { x: '1' }), { query: { fieldManager: 'updater' } }),
      by('one', kind, labelled(applied, { x: '2' }), { query: { force: 'true' } }),
      put(kind, labelled(changed, { x: '3' }), {
        name: 'takes-back',
        query: { fieldManager: 'updater' },
        body: object(kind, labelled(changed, { x: '3' })),
      }),
    ),
    row(
      kind,
      'patch',
      'apply: dry, unknown, twice the same, in YAML',
      by('dry', kind, minimal, { query: { dryRun: 'All' } }),
      get(kind),
      by('strict', kind, { ...minimal, strange: 1 }, { query: { fieldValidation: 'Strict' } }),
      by('first', kind, minimal),
      by('first', kind, minimal, { name: 'again' }),
      {
        name: 'yaml',
        method: 'PATCH',
        path: pathOf(kind),
        query: { fieldManager: 'first' },
        headers: { 'content-type': PATCH_TYPES.apply },
        body: yamlOf(kind),
      },
    ),
    row(
      kind,
      'patch',
      'apply: what is refused',
      by('', kind, minimal, { name: 'nobody' }),
      by('owned', kind, { ...minimal, metadata: { managedFields: [] } }),
      by('owns', kind, {
        ...minimal,
        metadata: { managedFields: [{ manager: 'x', operation: 'Apply' }] },
      }),
      by('other-name', kind, { ...minimal, metadata: { name: 'another' } }),
      by('other-kind', kind, minimal, {
        body: { ...object(kind, minimal), kind: 'Pod' },
      }),
      by('typeless', kind, minimal, { body: { metadata: object(kind, minimal).metadata ?? {} } }),
      by('unforced', kind, minimal, { query: { force: 'maybe' } }),
    ),
  ];
}

/** Only its identity: all other fields were removed. */
function yamlOf(kind: Kind): string {
  const { metadata } = object(kind);
  const name = (metadata as { readonly name: string }).name;
  return `apiVersion: ${kind.apiVersion}\nkind: ${kind.kind}\nmetadata:\n  name: "${name}"\n  labels: {row: "{ns}"}\n`;
}

export const applyKinds: RowGroup = {
  name: 'apply-kinds',
  rows: sampledKinds.flatMap(applyRows),
};
