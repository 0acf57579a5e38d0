/** The bodies of every kind's rows, for tables that use the same objects. */
import { isObject, type Json, type JsonObject } from '../../differential/json.ts';
import { allSteps, isWatchStep, type RowGroup } from '../../differential/row.ts';
import type { Kind } from '../kinds.ts';
import type { Sample } from './every-kind.ts';

export type KindSample = Pick<
  Sample,
  'minimal' | 'full' | 'changed' | 'merge' | 'json' | 'strategic' | 'applied'
>;

/** The sample that `everyKind` made the rows of a group from. */
export function sampleOf(kind: Kind, { rows }: RowGroup): KindSample {
  const bodyOf = (row: string, step: string): Json => {
    const found = rows.find(({ name }) => name === `${kind.id} ${row}`);
    const sent = allSteps(found?.steps ?? []).find(({ name }) => name === step);
    if (sent === undefined || isWatchStep(sent) || sent.body === undefined) {
      throw new Error(`${kind.id} ${row}: no body of ${step}`);
    }
    return sent.body;
  };
  return {
    minimal: fieldsOf(bodyOf('create: the least, with its defaults', 'create'), kind),
    full: fieldsOf(bodyOf('create: every field', 'create'), kind),
    changed: fieldsOf(bodyOf('update: a change', 'update'), kind),
    merge: bodyOf('patch: merge', 'patch') as JsonObject,
    json: bodyOf('patch: JSON', 'patch') as readonly Json[],
    strategic: bodyOf('patch: strategic', 'patch') as JsonObject,
    applied: fieldsOf(bodyOf('patch: apply beside another', 'apply'), kind),
  };
}

/** A whole object without what it is called, in its metadata or in the spec of a kind whose names say that. */
function fieldsOf(body: Json, { named }: Kind): JsonObject {
  if (!isObject(body)) throw new Error(`not an object: ${JSON.stringify(body)}`);
  const { apiVersion: _version, kind: _kind, metadata, ...fields } = body;
  const { name: _name, resourceVersion: _at, ...own } = metadata as JsonObject;
  const said = new Set(Object.keys(named?.specOf('') ?? {}));
  const spec = isObject(fields.spec) && {
    spec: Object.fromEntries(Object.entries(fields.spec).filter(([key]) => !said.has(key))),
  };
  const rest = { ...fields, ...spec };
  return Object.keys(own).length === 0 ? rest : { ...rest, metadata: own };
}
