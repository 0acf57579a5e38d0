/**
 * What is known to differ from the original, with the issue that will empty it. A row that begins to answer like the
 * original fails the run until it is removed from here.
 */
import type { TodoPath, TodoRows } from './verdict.ts';

/** Parts of many answers. */
export const todoPaths: readonly TodoPath[] = [
  {
    id: 'managed-fields',
    issue: 5,
    why: 'field ownership is not tracked yet, so metadata.managedFields is not compared',
    path: /(^|\.)managedFields(\[|$)/,
  },
];

export const todoRows: readonly TodoRows[] = [
  {
    issue: 4,
    why: 'A second version, and conversion',
    rows: [
      'update: another version',
      'create: another version',
    ],
  },
  {
    issue: 4,
    why: 'Discovery of everything that the group has',
    rows: [
      'discovery: groups',
      'discovery: groups with a trailing slash',
      'discovery: aggregated in an unknown version falls to the next clause',
      'discovery: groups as YAML',
      'discovery: groups in an unknown form',
      'discovery: aggregated v2beta1',
      'discovery: resources as YAML',
    ],
  },
  {
    issue: 4,
    why: 'Health checks one by one, and version documents',
    rows: ['health: an excluded check'],
  },
  {
    issue: 4,
    why: 'OpenAPI documents',
    rows: [
      'openapi: index of v3',
      'openapi: v3 of v1alpha1',
      'openapi: v3 of v1beta1',
      'openapi: v2',
    ],
  },
  {
    issue: 4,
    why: 'Patches',
    rows: [
      'patch: merge removes',
      'patch: merge to a wrong type',
      'patch: merge with an unknown field, refused',
      'patch: strategic merge',
      'patch: strategic merge of finalizers',
    ],
  },
  {
    issue: 4,
    why: 'Tables, PartialObjectMetadata, and the choice between representations',
    rows: [
      'watch: in an unknown form',
      'watch: as Table',
      'watch: as PartialObjectMetadata',
      'watch: as a list of PartialObjectMetadata',
      'negotiation: the better one first',
      'negotiation: an unknown form',
      'negotiation: an unknown form of a list',
      'negotiation: any application',
      'negotiation: nonsense',
      'negotiation: indented by a parameter',
      'negotiation: Table of an object',
      'negotiation: Table of a list',
      'negotiation: Table of v1beta1',
      'negotiation: what kubectl accepts',
      'negotiation: Table of an unknown version',
      'negotiation: Table without objects',
      'negotiation: Table with whole objects',
      'negotiation: Table with metadata',
      'negotiation: Table with nonsense',
      'negotiation: Table of nothing',
      'negotiation: Table of pages',
      'negotiation: Table of an error',
      'negotiation: Table of a created object',
      'negotiation: Table of a deleted object',
      'negotiation: PartialObjectMetadata',
      'negotiation: PartialObjectMetadata of v1beta1',
      'negotiation: PartialObjectMetadata of a list',
      'negotiation: PartialObjectMetadataList',
      'negotiation: PartialObjectMetadataList of an object',
      'negotiation: an unknown transformation',
      'negotiation: gzip of a large answer',
      'negotiation: gzip among others',
    ],
  },
  {
    issue: 4,
    why: 'YAML, and protobuf among the media types',
    rows: [
      'create: a content type that is not served',
      'create: a content type that is no content type',
      'create: a YAML body',
      'create: a YAML body that is bad',
      'create: an unknown field in YAML, refused',
      'create: a field given twice in YAML, refused',
      'update: a content type that is not served',
      'delete: with options in a form that is not served',
      'delete: with options as YAML',
      'watch: as YAML',
      'negotiation: YAML',
      'negotiation: YAML list',
      'negotiation: YAML of an error',
      'negotiation: create answers YAML',
      'negotiation: Table as YAML',
      'negotiation: PartialObjectMetadata as YAML',
    ],
  },
  {
    issue: 5,
    why: 'Server-side apply',
    rows: [
      'patch: apply creates',
      'patch: apply without a manager',
      'patch: apply conflicts',
      'patch: apply forces',
    ],
  },
  {
    issue: 6,
    why: 'Namespaces',
    rows: ['create: in a missing namespace'],
  },
  {
    issue: 5,
    why: 'Writes that change only the ownership of fields',
    rows: ['update: the deletion time of an object that is being deleted'],
  },
  {
    issue: 4,
    why: 'Bodies of another kind of the group',
    rows: ['update: another kind', 'create: a list', 'create: another kind'],
  },
  {
    issue: 4,
    why: 'Null and wrong types, in the words of the original',
    rows: [
      'create: a text where an object belongs',
      'create: a number where a text belongs',
      'create: with a null spec',
    ],
  },
];
