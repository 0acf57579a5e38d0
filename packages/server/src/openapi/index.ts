/** OpenAPI documents, which the aggregator merges. */

export { indexV3 } from './document-v3.ts';
export { liveDocuments } from './live-documents.ts';
export { type DocumentsV3, type LocalDocuments, lazyDocuments } from './local-documents.ts';
export {
  jsonForm,
  PROTOBUF_V3,
  type Published,
  protobufFormV2,
  protobufFormV3,
  publishJson,
  serveIndexV3,
  serveV2,
  serveV3,
} from './published.ts';
