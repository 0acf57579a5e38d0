/**
 * Behaviours that are known to break a server of ours, each by its name. They are left out unless they are asked for
 * (`--with-known`); the repair of one takes its name off this list.
 */
export const knownDefects: ReadonlySet<string> = new Set([
  'backend over HTTP/1.1: interim-tk-twice',
  'backend over HTTP/1.1: interim-http2-settings',
  'backend over HTTP/1.1: interim-constructor',
  'backend over HTTP/1.1: interim-proto',
  'backend over HTTP/1.1: trailers-tk-twice',
  'backend over HTTP/1.1: trailers-http2-settings',
  'backend over HTTP/1.1: trailers-proto',
  'backend over HTTP/1.1: final-http2-settings',
  'backend over HTTP/1.1: final-tk-twice',
  'backend over HTTP/1.1: final-content-md5-twice',
  'backend over HTTP/1.1: final-constructor',
  'backend over HTTP/1.1: interim-connection',
  'backend over HTTP/1.1: interim-status',
  'backend over HTTP/1.1: trailers-status',
  'backend over HTTP/1.1: trailers-connection',
  'backend over HTTP/2: interim-tk',
  'backend over HTTP/2: interim-constructor',
  'backend over HTTP/2: trailers-constructor',
  'backend over HTTP/2: trailers-tk',
  'backend over HTTP/2: final-constructor',
  'backend over HTTP/1.1: interim-flood',
  'backend over HTTP/1.1: one-byte-chunks',
  'backend over HTTP/1.1: watch-flood',
  'backend over HTTP/1.1: endless-head',
  'backend over HTTP/1.1: chunk-extensions',
  'backend over HTTP/1.1: endless-chunk-size',
  'backend over HTTP/2: interim-flood',
  'backend over HTTP/2: one-byte-frames',
  'definition: numbers beyond doubles',
  'definition: defaults beyond doubles',
  'definition: enums beyond doubles',
]);

/** Violations that are known, by what their lines look like. */
const knownLines: readonly RegExp[] = [
  // Responses and initial events that nobody reads are kept by the stream; what was taken is given back late.
  /: the server held \d+ MiB$/,
];

export function isKnown(line: string): boolean {
  return knownLines.some((pattern) => pattern.test(line));
}
