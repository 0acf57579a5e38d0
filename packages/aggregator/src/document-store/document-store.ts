/** The last good documents of backends, persistent across restarts. */
export interface DocumentStore extends AsyncDisposable {
  /** Reads all documents at the start. Unreadable ones are logged and left out. */
  read(): Promise<readonly StoredDocument[]>;
  /**
   * Returns at once; of several writes before the disk is reached, only the last one is written. Failures are logged.
   */
  write(document: StoredDocument): void;
  /** Removes all documents of a registration. */
  remove(registration: string): void;
  /** Resolves when everything is on the disk. */
  flush(): Promise<void>;
}

export interface StoredDocument {
  /** Name of the registration. */
  readonly registration: string;
  /** Of the APIService: an object created anew does not inherit documents. */
  readonly uid: string;
  /** Such as `discovery`, `openapi-v2` or `openapi-v3`. */
  readonly part: string;
  /** The time of its last fetch, in milliseconds since 1970. */
  readonly goodAtMs: number;
  readonly etag: string | undefined;
  readonly bytes: Uint8Array;
}
