/**
 * Node's own HTTP/1.1. Loading it also loads a whole web client, which takes fifty milliseconds of a start, and most
 * servers speak HTTP/2: so it is loaded when it is first needed.
 */
export function nodeHttp(): typeof import('node:http') {
  return process.getBuiltinModule('node:http');
}
