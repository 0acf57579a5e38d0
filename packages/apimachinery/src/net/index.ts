/**
 * `@tributary/apimachinery/net`: addresses and URLs as Go's netip and net/url read and write them, for validation and CEL.
 * Not a stable API.
 */
export {
  type Address,
  AddressError,
  formatAddress,
  isMapped,
  parseAddress,
  sameAddress,
} from './address.ts';
export {
  escapedPath,
  formatUrl,
  formatUserinfo,
  type GoUrl,
  hostname,
  parseRequestUrl,
  parseUrl,
  port,
  queryOf,
  toText,
} from './url.ts';
export { UrlError } from './url-escapes.ts';
