/** Tables and metadata of every kind: nothing, something, with and without the objects, in both versions of the form. */
import type { Row, RowGroup, Step } from '../../differential/row.ts';
import { type Kind, SelfSubjectAccessReview, SelfSubjectReview } from '../kinds.ts';
import { type SampledKind, sampledKinds } from './sampled-kinds.ts';
import { get, given, list, OF_THE_ROW, pathOf, post, remove, row, TABLE } from './words.ts';

const OLD_TABLE = 'application/json;as=Table;v=v1beta1;g=meta.k8s.io';
/** The Accept header of kubectl. */
const EITHER = `${TABLE},${OLD_TABLE},application/json`;
const PARTIAL = 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io';
const PARTIAL_LIST = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';
const OLD_PARTIAL_LIST = PARTIAL_LIST.replace('v=v1;', 'v=v1beta1;');

const asked = (name: string, kind: Kind, accept: string, includeObject?: string): Step =>
  list(kind, {
    name,
    headers: { accept },
    query: { ...OF_THE_ROW, ...(includeObject !== undefined && { includeObject }) },
  });

function tableRows({ kind, sample }: SampledKind): Row[] {
  const one = given(kind, sample.full);
  const ofOne = { headers: { accept: TABLE } };
  return [
    row(
      kind,
      'list',
      'Tables of nothing',
      asked('table', kind, TABLE),
      asked('old', kind, OLD_TABLE),
      asked('none', kind, TABLE, 'None'),
    ),
    row(
      kind,
      'list',
      'Tables with what is asked for',
      one,
      given(kind, sample.minimal, 'b'),
      asked('none', kind, TABLE, 'None'),
      asked('metadata', kind, TABLE, 'Metadata'),
      asked('old', kind, OLD_TABLE, 'Object'),
      asked('either', kind, EITHER),
      asked('unknown', kind, TABLE, 'Everything'),
    ),
    row(
      kind,
      'get',
      'Tables with what is asked for',
      one,
      get(kind, { ...ofOne, name: 'none', query: { includeObject: 'None' } }),
      get(kind, { ...ofOne, name: 'object', query: { includeObject: 'Object' } }),
      get(kind, { name: 'old', headers: { accept: OLD_TABLE } }),
      get(kind, { name: 'missing', path: pathOf(kind, 'b'), ...ofOne }),
    ),
    row(
      kind,
      'list',
      'metadata of nothing and of one',
      asked('nothing', kind, PARTIAL_LIST),
      one,
      asked('one', kind, PARTIAL_LIST),
      asked('old', kind, OLD_PARTIAL_LIST),
      asked('wrong', kind, PARTIAL),
      get(kind, { headers: { accept: PARTIAL } }),
    ),
    row(kind, 'delete', 'as a Table', one, remove(kind, ofOne)),
  ];
}

/** Kinds that are not kept: what a Table makes of them. */
const unkept: readonly Row[] = [
  ...[SelfSubjectReview, SelfSubjectAccessReview].map((kind) =>
    row(
      kind,
      'create',
      'answered as a Table',
      post(
        kind,
        {
          apiVersion: kind.apiVersion,
          kind: kind.kind,
          ...(kind === SelfSubjectAccessReview && {
            spec: { nonResourceAttributes: { path: '/x', verb: 'get' } },
          }),
        },
        { headers: { accept: TABLE } },
      ),
    ),
  ),
];

export const tables: RowGroup = {
  name: 'tables',
  rows: [...sampledKinds.flatMap(tableRows), ...unkept],
};
