/**
 * The metadata every object carries and the shapes that lists, tables and watches are made of.
 * Field order here is the order in which the reference server writes the fields.
 */

/** An entry of `metadata.ownerReferences`; `blockOwnerDeletion` and `controller` are absent, not false, when unset. */
export interface OwnerReference {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller?: boolean;
  blockOwnerDeletion?: boolean;
}

/** Which manager owns which fields; `fieldsV1` is the trie of server-side apply. */
export interface ManagedFieldsEntry {
  manager?: string;
  operation?: 'Apply' | 'Update';
  apiVersion?: string;
  /** RFC 3339, whole seconds. */
  time?: string;
  fieldsType?: string;
  fieldsV1?: Readonly<Record<string, unknown>>;
  /** Absent for the main resource. */
  subresource?: string;
}

/** Everything is optional: clients send any subset, and the server fills in what it owns. */
export interface ObjectMeta {
  name?: string;
  generateName?: string;
  namespace?: string;
  uid?: string;
  resourceVersion?: string;
  generation?: number;
  /** RFC 3339, whole seconds, UTC. Older clients send `null` for "not set". */
  creationTimestamp?: string | null;
  deletionTimestamp?: string | null;
  deletionGracePeriodSeconds?: number;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  ownerReferences?: OwnerReference[];
  finalizers?: string[];
  managedFields?: ManagedFieldsEntry[];
}

/** Any API object: what the machinery knows of it is its type and its metadata. */
export interface KubeObject {
  apiVersion: string;
  kind: string;
  metadata: ObjectMeta;
  [field: string]: unknown;
}

export interface ListMeta {
  resourceVersion?: string;
  continue?: string;
  /** Present only with `continue` and without selectors. */
  remainingItemCount?: number;
}

export interface KubeList<Item extends KubeObject = KubeObject> {
  apiVersion: string;
  kind: string;
  metadata: ListMeta;
  items: Item[];
}

export interface PartialObjectMetadata {
  apiVersion: 'meta.k8s.io/v1' | 'meta.k8s.io/v1beta1';
  kind: 'PartialObjectMetadata';
  metadata: ObjectMeta;
}

export interface PartialObjectMetadataList {
  apiVersion: 'meta.k8s.io/v1' | 'meta.k8s.io/v1beta1';
  kind: 'PartialObjectMetadataList';
  metadata: ListMeta;
  items: PartialObjectMetadata[];
}

/** All five fields are always written, empty or not. */
export interface TableColumnDefinition {
  name: string;
  type: 'string' | 'integer' | 'number' | 'boolean' | 'date';
  /** `name` marks the primary identifier. */
  format: string;
  description: string;
  /** 0 is shown always, above that only with `-o wide`. */
  priority: number;
}

export interface TableRowCondition {
  type: string;
  status: 'True' | 'False' | 'Unknown';
  reason?: string;
  message?: string;
}

export interface TableRow {
  /** One per column definition, in the same order. */
  cells: readonly unknown[];
  conditions?: readonly TableRowCondition[];
  /** Metadata, whole object or null, as the client's `includeObject` asks. */
  object: PartialObjectMetadata | KubeObject | null;
}

export interface Table {
  kind: 'Table';
  apiVersion: 'meta.k8s.io/v1' | 'meta.k8s.io/v1beta1';
  metadata: ListMeta;
  /** `null` in every watch event after the first. */
  columnDefinitions: readonly TableColumnDefinition[] | null;
  rows: readonly TableRow[];
}

export type WatchEventType = 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';

/** The one event that ends the initial phase of a watch carries this annotation with the value `true`. */
export const initialEventsEndAnnotation = 'k8s.io/initial-events-end';
