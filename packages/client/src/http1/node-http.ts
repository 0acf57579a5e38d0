/**
 * Node's HTTP/1.1. Loading it also loads a web client, which takes fifty milliseconds of a start, and most servers have
 * HTTP/2: so it is loaded at its first use.
 */
export function nodeHttp(): typeof import('node:http') {
  return process.getBuiltinModule('node:http');
}
