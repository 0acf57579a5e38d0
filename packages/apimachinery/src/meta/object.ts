/**
 * Types of object metadata, lists, tables and watch events. Fields are in the order in which kube-apiserver
 * encodes them.
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

/** The fields that one manager owns; `fieldsV1` is the field set of server-side apply. */
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

/** All fields are optional: clients send any subset, and the server sets the rest. */
export interface ObjectMeta {
  name?: string;
  generateName?: string;
  namespace?: string;
  uid?: string;
  resourceVersion?: string;
  generation?: number;
  /** RFC 3339, whole seconds, UTC. Older clients send `null` for an unset time. */
  creationTimestamp?: string | null;
  deletionTimestamp?: string | null;
  deletionGracePeriodSeconds?: number;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  ownerReferences?: OwnerReference[];
  finalizers?: string[];
  managedFields?: ManagedFieldsEntry[];
}

/** Any API object, of which only type and metadata are known. */
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

/** All five fields are encoded even if empty. */
export interface TableColumnDefinition {
  name: string;
  type: 'string' | 'integer' | 'number' | 'boolean' | 'date';
  /** `name` marks the primary identifier. */
  format: string;
  description: string;
  /** Columns of priority 0 are always shown, others only with `-o wide`. */
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
  /** Metadata, the whole object or null, depending on the client's `includeObject`. */
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

/** The bookmark that ends the initial events of a watch has this annotation with the value `true`. */
export const initialEventsEndAnnotation = 'k8s.io/initial-events-end';
