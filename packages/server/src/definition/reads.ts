/** Typed reads of a resource of the same server, in its storage version and current state. */
export interface ResourceReader<Object> {
  /** `namespace` is omitted for cluster-scoped kinds. */
  get(name: string, namespace?: string): Promise<Object | undefined>;
  /** All objects, or those of a namespace. They are shared and must not be changed. */
  list(namespace?: string): Promise<readonly Object[]>;
}

/** The definition of a resource, as far as reads need it. */
export interface ReadResource<Object> {
  readonly kind: string;
  /** Absent at run time; carries the type of the objects in the storage version. */
  readonly objectType?: Object;
}

export type Read = <Object>(resource: ReadResource<Object>) => ResourceReader<Object>;
