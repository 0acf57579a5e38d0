/** The last good documents of servers behind the aggregator, kept across restarts. */
export interface DocumentStore extends AsyncDisposable {
  /** Everything that is kept, once, at the start. What cannot be read is left out and logged, never an error. */
  read(): Promise<readonly StoredDocument[]>;
  /** Returns at once; what is written again before it reached the disk is written once. Failures are logged. */
  write(document: StoredDocument): void;
  /** Everything that belongs to a registration. */
  remove(registration: string): void;
  /** When everything is on the disk. */
  flush(): Promise<void>;
}

export interface StoredDocument {
  /** Name of the registration. */
  readonly registration: string;
  /** Of the APIService: one that was made anew inherits nothing. */
  readonly uid: string;
  /** Which one, such as `discovery`, `openapi-v2` or `openapi-v3`. */
  readonly part: string;
  /** When its server last said so, in milliseconds since 1970. */
  readonly goodAtMs: number;
  readonly etag: string | undefined;
  readonly bytes: Uint8Array;
}
