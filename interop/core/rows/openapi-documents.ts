/** OpenAPI of the served kinds, in both versions: types, lists, merge keys, operations. */
import type { DefinitionsView, Row, RowGroup } from '../../differential/row.ts';
import { baseOf, groupOf, type Kind, kinds } from '../kinds.ts';
import { feature } from './words.ts';

const row = feature('openapi');
const META = 'io.k8s.apimachinery.pkg.apis.meta.v1';
/** Of those that are of every group version, the rest names all of them. */
const metaNames = [
  'FieldsV1',
  'ListMeta',
  'ManagedFieldsEntry',
  'ObjectMeta',
  'OwnerReference',
  'Patch',
  'Preconditions',
  'Status',
  'StatusCause',
  'StatusDetails',
  'Time',
].map((name) => `${META}.${name}`);

/** Where the types of a group are in Go, which the names of definitions say. */
function packageOf(kind: Kind): string {
  const group = groupOf(kind);
  const version = kind.apiVersion.split('/').at(-1);
  if (group === 'apiregistration.k8s.io') {
    return `io.k8s.kube-aggregator.pkg.apis.apiregistration.${version}`;
  }
  if (group === 'apiextensions.k8s.io') {
    return `io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.${version}`;
  }
  return `io.k8s.api.${group === '' ? 'core' : group.split('.')[0]}.${version}`;
}

function pathsOf(kind: Kind): string[] {
  const base = baseOf(kind);
  const inside = kind.namespaced ? `${base}/namespaces/{namespace}` : base;
  const all = `${inside}/${kind.plural}`;
  return [
    ...new Set([`${base}/${kind.plural}`, all, `${all}/{name}`]),
    ...['status', 'scale', 'approval', 'finalize', 'token'].map((part) => `${all}/{name}/${part}`),
  ];
}

function viewOf(kind: Kind): DefinitionsView {
  const name = `${packageOf(kind)}.${kind.kind}`;
  return { definitions: [name, `${name}List`], paths: pathsOf(kind) };
}

const accept = { accept: 'application/json' };
const V2 = '/openapi/v2';
const v3 = (kind: Kind): string => `/openapi/v3${baseOf(kind)}`;

const ofKind = (kind: Kind): Row =>
  row(
    `${kind.id} in both versions`,
    { name: 'v3', path: v3(kind), view: viewOf(kind) },
    { name: 'v2', path: V2, headers: accept, view: viewOf(kind) },
  );

const meta: DefinitionsView = { definitions: metaNames, paths: [] };
const [first] = kinds;

export const openapiDocuments: RowGroup = {
  name: 'openapi-documents',
  rows: [
    ...kinds.map(ofKind),
    row(
      'types that all kinds share, in both versions',
      ...(first === undefined ? [] : [{ name: 'v3', path: v3(first), view: meta }]),
      { name: 'v2', path: V2, headers: accept, view: meta },
    ),
  ],
};
